/** Checks tsquery literals: words, `!`, `&`, `|`, `<->` and parentheses. */
import { t } from '#base/texts.ts';

interface Problem {
  readonly message: string;
  readonly remedy: () => string;
}

const token =
  /\s*(?:([&|]|<(?:-|\d+)>)|(!)|(\()|(\))|(?:'(?:[^'\\]|'')+'|[^\s!&|()':<>\\]+)(?::[abcd*]*)?)/iy;

/** Returns undefined if the text is valid, or contains other characters, which are not checked. */
export function checkTextQuery(text: string): Problem | undefined {
  const wrong = {
    message: `syntax error in tsquery: "${text}"`,
    remedy: () => t('Write & or | between words, or plainto_tsquery(...).'),
  };
  let open = 0;
  let isAfterOperand = false;
  let end = 0;
  let isWrong = false;
  const whole = text.trimEnd();
  while (end < whole.length) {
    token.lastIndex = end;
    const found = token.exec(whole);
    if (found === null) return undefined;
    end = token.lastIndex;
    const [, operator, not, opens, closes] = found;
    const wantsOperand = operator === undefined && closes === undefined;
    isWrong ||= wantsOperand === isAfterOperand;
    isAfterOperand = operator === undefined && not === undefined && opens === undefined;
    open += opens === undefined ? (closes === undefined ? 0 : -1) : 1;
    isWrong ||= open < 0;
  }
  const isEmpty = whole.trim() === '';
  return !isEmpty && (isWrong || open > 0 || !isAfterOperand) ? wrong : undefined;
}
