/**
 * A user and a colleague edit the same saved queries in the real editor, in random stories: no typed text is lost, and
 * no version is replaced unseen.
 * `npm run fuzz -- saving-editor` plays more of them. FUZZ_SEED and FUZZ_STORIES=1 replay one story.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { playStory, type StoryResult } from './saving-story.ts';
import { answerMessages, closeAllEditors, useSaving } from './support.ts';

const stories = Number(process.env['FUZZ_STORIES'] ?? 5);
/** The regular tests use few actions per story, since most failures need only a few. */
const steps = Number(process.env['FUZZ_STEPS'] ?? 7);
/** Fixed here, so that a failure repeats. `npm run fuzz` takes new ones. */
const firstSeed = Number(process.env['FUZZ_SEED'] ?? 1);

suite('stories of saving', () => {
  const { colleague } = useSaving();

  test(`${stories} stories from seed ${firstSeed}: nothing typed is lost, nothing is replaced unseen`, async function () {
    this.timeout(stories * 120_000);
    const said = (['showErrorMessage', 'showWarningMessage', 'showInformationMessage'] as const).map((kind) =>
      answerMessages(kind, () => undefined),
    );
    const wrong: string[] = [];
    const all: StoryResult[] = [];
    try {
      for (let index = 0; index < stories; index += 1) {
        const seed = firstSeed + index;
        try {
          const result = await inTime(playStory(colleague, seed, steps));
          all.push(result);
          const { lost, replacedUnseen, done } = result;
          if (lost.length + replacedUnseen.length > 0)
            wrong.push(
              `seed ${seed}: lost ${lost.join(' ')}; replaced ${replacedUnseen.join(' ')}; ${done.join(', ')}`,
            );
        } catch (error) {
          wrong.push(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
        }
        await closeAllEditors();
        await vscode.commands.executeCommand('notifications.clearAll');
        await note(figuresOf(all));
      }
    } finally {
      for (const each of said) each.dispose();
    }
    assert.deepEqual(wrong, [], JSON.stringify(figuresOf(all)));
  });
});

function figuresOf(all: readonly StoryResult[]) {
  const sum = (of: (result: StoryResult) => number) => all.reduce((total, each) => total + of(each), 0);
  return {
    stories: all.length,
    words: sum(({ words }) => words),
    versions: sum(({ versions }) => versions),
    lost: sum(({ lost }) => lost.length),
    replacedUnseen: sum(({ replacedUnseen }) => replacedUnseen.length),
  };
}

/** Writes the figures after each story, so that an aborted run still reports them. */
async function note(figures: ReturnType<typeof figuresOf>): Promise<void> {
  const file = process.env['FUZZ_FIGURES'];
  if (file !== undefined) await writeFile(file, JSON.stringify(figures));
}

/** Time limit after which a story is skipped, so that the rest of a long run can continue. */
const storyLimitMs = 600_000;

async function inTime(story: Promise<StoryResult>): Promise<StoryResult> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('never ended')), storyLimitMs);
  });
  try {
    return await Promise.race([story, limit]);
  } finally {
    clearTimeout(timer);
  }
}
