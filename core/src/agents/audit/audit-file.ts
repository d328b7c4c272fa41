/** Where the log of what agents asked is. */
import path from 'node:path';

export const auditFileIn = (dataFolder: string): string => path.join(dataFolder, 'ai-activity.jsonl');
