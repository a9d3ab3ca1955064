import { Extension, markInputRule, markPasteRule } from '@tiptap/core';
import { Bold } from '@tiptap/extension-bold';
import { Italic } from '@tiptap/extension-italic';
import { Plugin } from '@tiptap/pm/state';

/** What stands between the cells of a pasted table, where each row becomes a line. */
const between = ' · ';

/** Bold as people write it in a chat: *bold*. */
export const ChatBold = Bold.extend({
  addInputRules() {
    return [markInputRule({ find: /(?:^|\s)(\*([^\s*]|[^\s*][^*]*[^\s*])\*)$/, type: this.type })];
  },
  addPasteRules() {
    return [markPasteRule({ find: /(?:^|(?<=\s))\*([^\s*]|[^\s*][^*]*[^\s*])\*(?!\w)/g, type: this.type })];
  },
});

/** Italic as people write it in a chat: _italic_. */
export const ChatItalic = Italic.extend({
  addInputRules() {
    return [markInputRule({ find: /(?:^|\s)(_([^\s_]|[^\s_][^_]*[^\s_])_)$/, type: this.type })];
  },
  addPasteRules() {
    return [markPasteRule({ find: /(?:^|(?<=\s))_([^\s_]|[^\s_][^_]*[^\s_])_(?!\w)/g, type: this.type })];
  },
});

/** HTML with each row of its tables as a paragraph, which is all that a text in blocks holds of a table. */
function tablesAsLines(html: string): string {
  if (!/<table/i.test(html)) return html;
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const table of body.querySelectorAll('table')) {
    const rows = [...table.querySelectorAll('tr')].map((row) =>
      [...row.querySelectorAll('td, th')].map((cell) => (cell.textContent ?? '').replace(/\s+/g, ' ').trim()),
    );
    const lines = rows
      .map((cells) => cells.filter((words) => words !== '').join(between))
      .filter((line) => line !== '')
      .map((line) => {
        const paragraph = body.ownerDocument.createElement('p');
        paragraph.textContent = line;
        return paragraph;
      });
    table.replaceWith(...lines);
  }
  return body.innerHTML;
}

/** Cells of a spreadsheet pasted as plain text. */
const tabsAsLines = (words: string): string =>
  words
    .split('\n')
    .map((line) =>
      line.includes('\t')
        ? line
            .split('\t')
            .filter((cell) => cell.trim() !== '')
            .join(between)
        : line,
    )
    .join('\n');

export const PastedTables = Extension.create({
  name: 'pastedTables',
  addProseMirrorPlugins: () => [
    new Plugin({ props: { transformPastedHTML: tablesAsLines, transformPastedText: tabsAsLines } }),
  ],
});
