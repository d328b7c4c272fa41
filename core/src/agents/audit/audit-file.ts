/** Location of the agent log. */
import path from 'node:path';

export const auditFileIn = (dataFolder: string): string => path.join(dataFolder, 'ai-activity.jsonl');
