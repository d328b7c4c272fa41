/** Markdown for hovers and tooltips. Text is always escaped. */
import * as vscode from 'vscode';
import { codeBlock, markdownLine, markdownText } from '#base/shown-text/for-markdown.ts';
import type { CommandId } from '#client/contributions.ts';

export interface CommandLink {
  readonly title: string;
  readonly command: CommandId;
}

export class ShownMarkdown {
  readonly #paragraphs: string[] = [];

  /** Adds a paragraph, preserving line breaks. */
  text(text: string): this {
    return this.#add(markdownText(text));
  }

  /** Adds a paragraph of bold text followed by plain text. */
  bold(text: string, behind = ''): this {
    const words = markdownLine(text);
    return this.#add(
      [words === '' ? '' : `**${words}**`, markdownLine(behind)].filter((part) => part !== '').join(' '),
    );
  }

  code(code: string, language: string): this {
    return this.#add(codeBlock(code, language));
  }

  /** @param links command links to append. */
  build(links: readonly CommandLink[] = []): vscode.MarkdownString {
    const ends = links.map(({ title, command }) => `[${markdownLine(title)}](command:${command})`);
    const value = [...this.#paragraphs, ...(ends.length === 0 ? [] : [ends.join(' · ')])].join('\n\n');
    const markdown = new vscode.MarkdownString(value);
    if (links.length > 0) markdown.isTrusted = { enabledCommands: links.map(({ command }) => command) };
    return markdown;
  }

  #add(paragraph: string): this {
    if (paragraph !== '') this.#paragraphs.push(paragraph);
    return this;
  }
}
