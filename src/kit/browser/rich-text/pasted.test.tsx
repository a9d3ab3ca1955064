import { Editor } from '@tiptap/core';
import { Document } from '@tiptap/extension-document';
import { Paragraph } from '@tiptap/extension-paragraph';
import { Text } from '@tiptap/extension-text';
import { afterEach, expect, test } from 'vitest';
import { blocksOf, type EditorNode } from './editor-blocks.ts';
import { ChatBold, ChatItalic, PastedTables } from './pasted.ts';

let editor: Editor;
afterEach(() => editor.destroy());

const pasting = (act: (editor: Editor) => unknown) => {
  const element = document.createElement('div');
  editor = new Editor({ element, extensions: [Document, Paragraph, Text, ChatBold, ChatItalic, PastedTables] });
  act(editor);
  return blocksOf(editor.getJSON() as EditorNode).map(({ runs }) => runs);
};
const pasteText = (words: string) => pasting(({ view }) => view.pasteText(words));

test('a pasted table becomes a line for each row', () => {
  const html =
    '<p>Sizes</p><table><tr><th>Class</th><th>Fee</th></tr><tr><td>Nursery <b>A</b></td><td></td><td>₹ 5,880</td></tr></table>';
  expect(pasting(({ view }) => view.pasteHTML(html))).toEqual([
    [{ text: 'Sizes' }],
    [{ text: 'Class · Fee' }],
    [{ text: 'Nursery A · ₹ 5,880' }],
  ]);
  expect(pasteText('Class\tFee\nNursery\t\t5,880')).toEqual([[{ text: 'Class · Fee' }], [{ text: 'Nursery · 5,880' }]]);
});

test('the signs of a chat become bold and italic, but not those of a sum or a name', () => {
  expect(pasteText('*Bring* a _blue_ cap')).toEqual([
    [{ text: 'Bring', isBold: true }, { text: ' a ' }, { text: 'blue', isItalic: true }, { text: ' cap' }],
  ]);
  expect(pasteText('2*3*4, my_form_name, * not this *')).toEqual([[{ text: '2*3*4, my_form_name, * not this *' }]]);
});
