import { Trans, useLingui } from '@lingui/react/macro';
import {
  IconArrowBackUp,
  IconBold,
  IconH1,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
} from '@tabler/icons-react';
import { Document } from '@tiptap/extension-document';
import { Heading } from '@tiptap/extension-heading';
import { Link } from '@tiptap/extension-link';
import { BulletList, ListItem, ListKeymap, OrderedList } from '@tiptap/extension-list';
import { Paragraph } from '@tiptap/extension-paragraph';
import { Text } from '@tiptap/extension-text';
import { UndoRedo } from '@tiptap/extensions';
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { linkAddress } from '#kit/contract/link-address.ts';
import type { Block } from '#kit/contract/rich-text.ts';
import { blocksOf, documentOf, type EditorNode } from './editor-blocks.ts';
import { ChatBold, ChatItalic, PastedTables } from './pasted.ts';
import styles from './RichTextEditor.module.css';

interface Props {
  name: string;
  labelledBy: string;
  describedBy: string | undefined;
  isWrong: boolean;
  blocks: readonly Block[];
  onChange: (blocks: Block[]) => void;
  /** The user was typing in the box that the editor takes the place of. */
  wasTyping: RefObject<boolean>;
}

const extensions = [
  Document,
  Paragraph,
  Text,
  ChatBold,
  ChatItalic,
  PastedTables,
  Heading.configure({ levels: [1, 2] }),
  BulletList,
  OrderedList,
  ListItem,
  ListKeymap,
  Link.configure({
    openOnClick: false,
    defaultProtocol: 'https',
    isAllowedUri: (address) => linkAddress(address) !== undefined,
  }),
  UndoRedo,
];

/** The editor of a text in blocks. */
export function RichTextEditor({ name, labelledBy, describedBy, isWrong, blocks, onChange, wasTyping }: Props) {
  const attributes = {
    id: name,
    class: `box ${styles.text}`,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-labelledby': labelledBy,
    ...(describedBy && { 'aria-describedby': describedBy }),
    ...(isWrong && { 'aria-invalid': 'true' }),
  };
  // Read once, as the box loses the focus when the editor takes its place.
  const [hasFocus] = useState(() => wasTyping.current);
  const editor = useEditor({
    extensions,
    content: documentOf(blocks),
    // The policy of the pages allows no style element; its rules are in our style sheet.
    injectCSS: false,
    editorProps: { attributes },
    onUpdate: ({ editor }) => onChange(blocksOf(editor.getJSON() as EditorNode)),
  });
  // Not by "autofocus": on a slow machine that focuses the editor before it is in the page.
  useEffect(() => {
    if (hasFocus) editor.commands.focus('end');
  }, [editor, hasFocus]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the attributes follow from these.
  useEffect(() => {
    editor.setOptions({ editorProps: { attributes } });
  }, [editor, describedBy, isWrong]);
  return (
    <div>
      {/* Below the text, so that Tab leads from the field before to the text. */}
      <EditorContent editor={editor} />
      <Tools editor={editor} />
    </div>
  );
}

function Tools({ editor }: { editor: Editor }) {
  const { t } = useLingui();
  const [isLinking, setLinking] = useState(false);
  const is = useEditorState({
    editor,
    selector: ({ editor }) => ({
      bold: editor.isActive('bold'),
      italic: editor.isActive('italic'),
      heading: editor.isActive('heading'),
      bullets: editor.isActive('bulletList'),
      numbers: editor.isActive('orderedList'),
      link: editor.isActive('link'),
      mayUndo: editor.can().undo(),
    }),
  });
  const tool = (label: string, isOn: boolean, act: () => void, icon: ReactNode) => (
    <IconButton isSmall label={label} aria-pressed={isOn} onClick={act}>
      {icon}
    </IconButton>
  );
  const at = () => editor.chain().focus();
  return (
    <>
      <Row gap={2} wrap role="toolbar" aria-label={t`Format`} className={styles.tools}>
        {tool(t`Bold`, is.bold, () => at().toggleBold().run(), <IconBold size={18} aria-hidden />)}
        {tool(t`Italic`, is.italic, () => at().toggleItalic().run(), <IconItalic size={18} aria-hidden />)}
        {tool(t`Heading`, is.heading, () => at().toggleHeading({ level: 1 }).run(), <IconH1 size={18} aria-hidden />)}
        {tool(t`Bullets`, is.bullets, () => at().toggleBulletList().run(), <IconList size={18} aria-hidden />)}
        {tool(t`Numbers`, is.numbers, () => at().toggleOrderedList().run(), <IconListNumbers size={18} aria-hidden />)}
        {tool(t`Link`, is.link, () => setLinking(true), <IconLink size={18} aria-hidden />)}
        <IconButton isSmall label={t`Undo`} aria-disabled={!is.mayUndo} onClick={() => at().undo().run()}>
          <IconArrowBackUp size={18} aria-hidden />
        </IconButton>
      </Row>
      {isLinking && <LinkBox editor={editor} onClose={() => setLinking(false)} />}
    </>
  );
}

/** Asks for the address of the selected words. An empty address removes the link. */
function LinkBox({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState(String(editor.getAttributes('link').href ?? ''));
  const [isWrong, setWrong] = useState(false);
  const apply = () => {
    const chain = editor.chain().focus().extendMarkRange('link');
    if (typed.trim() === '') {
      chain.unsetLink().run();
      return onClose();
    }
    const href = linkAddress(typed) ?? linkAddress(`https://${typed.trim()}`);
    if (href === undefined) return setWrong(true);
    if (editor.state.selection.empty && !editor.isActive('link'))
      chain.insertContent({ type: 'text', text: typed.trim(), marks: [{ type: 'link', attrs: { href } }] }).run();
    else chain.setLink({ href }).run();
    onClose();
  };
  return (
    <Row gap={8} wrap className={styles.link}>
      <input
        className="box"
        type="text"
        inputMode="url"
        aria-label={t`Address of the link`}
        aria-invalid={isWrong}
        placeholder="https://"
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for it.
        autoFocus
        value={typed}
        onChange={({ currentTarget }) => {
          setWrong(false);
          setTyped(currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Enter') return apply();
          onClose();
          editor.commands.focus();
        }}
      />
      <Button kind="quiet" onClick={apply}>
        <Trans>Set link</Trans>
      </Button>
      {isWrong && (
        <p role="alert" className="error">
          <Trans>Links may begin with https:, mailto: or tel: only.</Trans>
        </p>
      )}
    </Row>
  );
}
