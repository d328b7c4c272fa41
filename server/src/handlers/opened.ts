/** Input for all editing features. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { NameContext } from '../language/names/name-context.ts';
import type { LexedText } from '../language/text/lexer/tokens.ts';

/** An open document with its tokens. */
export interface Opened {
  readonly document: TextDocument;
  readonly lexed: LexedText;
  readonly context: NameContext;
}
