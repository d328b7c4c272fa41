/**
 * Overlapping saves after a colleague saved: whatever their order, every later version contains the colleague's text.
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { createQuery, open, replaceAll, until, useSaving } from './support.ts';

const lines = 'SELECT\n  id,\n  alias\nFROM accounts\nWHERE enabled\nLIMIT 10';
const merged = lines.replace('id,', 'uid,').replace('10', '20');

suite('two saves at once', () => {
  const { colleague, colleagueSaves, saved, save } = useSaving();
  const saveAll = () => vscode.commands.executeCommand(commands.savedQuerySaveAll);
  const saveOwn = (document: vscode.TextDocument) => document.save();

  const [together, ownTogether] = ['only commands', 'the editor too'] as const;

  for (const [how, who, ways] of [
    ['the save command twice', together, [save, save]],
    ['the save command three times', together, [save, save, save]],
    ['the save command and then Save All', together, [save, saveAll]],
    ['Save All twice and then the save command', together, [saveAll, saveAll, save]],
    ["the save command and then the editor's own save", ownTogether, [save, saveOwn]],
    ["the editor's own save and then the save command", ownTogether, [saveOwn, save]],
    ["the editor's own save twice and then the save command", ownTogether, [saveOwn, saveOwn, save]],
    ['everything', ownTogether, [saveOwn, save, saveAll, saveOwn, save, saveAll]],
  ] as const) {
    test(`${how}: the version after a colleague's contains both`, async () => {
      const query = await createQuery(colleague, lines);
      const document = await open(query);
      await replaceAll(document, lines.replace('id,', 'uid,'));
      await colleagueSaves(query, lines.replace('10', '20'));
      await Promise.all(ways.map((way) => way(document)));
      await until('the merge is in the editor', () => document.getText() === merged);
      if (who === together)
        assert.equal((await saved(query))[0], 2, 'nobody had seen the merge when it was saved');
      await save(document);
      assert.deepEqual([...(await saved(query)), document.isDirty], [3, merged, false]);
    });
  }
});
