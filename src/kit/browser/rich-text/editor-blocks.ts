import { linkAddress } from '#kit/contract/link-address.ts';
import { type Block, deepestLevel, type Run } from '#kit/contract/rich-text.ts';

/** A node of the editor's document, as far as it is read and made here. */
export interface EditorNode {
  type?: string;
  attrs?: Record<string, unknown>;
  content?: EditorNode[];
  marks?: { type: string; attrs?: Record<string, unknown> }[];
  text?: string;
}

const lists = { bulletList: 'bullet', orderedList: 'number' } as const;

/** The blocks of the editor's document; what blocks cannot hold, such as pasted pictures, falls away. */
export const blocksOf = (document: EditorNode): Block[] =>
  (document.content ?? []).flatMap((node) => blocksOfNode(node)).filter(({ runs }) => runs.length > 0);

function blocksOfNode(node: EditorNode): Block[] {
  if (node.type === 'paragraph') return [{ kind: 'paragraph', level: 0, runs: runsOf(node) }];
  if (node.type === 'heading')
    return [{ kind: 'heading', level: Math.min(Number(node.attrs?.level ?? 1), deepestLevel), runs: runsOf(node) }];
  return blocksOfList(node, 0);
}

function blocksOfList({ type, content = [] }: EditorNode, level: number): Block[] {
  const kind = lists[type as keyof typeof lists];
  if (!kind) return [];
  return content.flatMap((item) =>
    (item.content ?? []).flatMap((part) =>
      part.type === 'paragraph' || part.type === 'heading'
        ? [{ kind, level, runs: runsOf(part) }]
        : blocksOfList(part, Math.min(level + 1, deepestLevel)),
    ),
  );
}

/** The texts of a node; neighbours of one style become one. */
function runsOf({ content = [] }: EditorNode): Run[] {
  const runs: Run[] = [];
  for (const { type, text, marks = [] } of content) {
    if (type !== 'text' || !text) continue;
    const has = (name: string) => marks.some((mark) => mark.type === name);
    const href = marks.find((mark) => mark.type === 'link')?.attrs?.href;
    const link = typeof href === 'string' ? linkAddress(href) : undefined;
    const run: Run = {
      text,
      ...(has('bold') && { isBold: true }),
      ...(has('italic') && { isItalic: true }),
      ...(link && { link }),
    };
    const last = runs.at(-1);
    if (last && styleOf(last) === styleOf(run)) last.text += text;
    else runs.push(run);
  }
  return runs;
}

const styleOf = ({ isBold = false, isItalic = false, link = '' }: Run) => JSON.stringify([isBold, isItalic, link]);

/** The editor's document of some blocks. */
export function documentOf(blocks: readonly Block[]): EditorNode {
  const content: EditorNode[] = [];
  for (let at = 0; at < blocks.length; ) {
    const block = blocks[at] as Block;
    if (block.kind === 'bullet' || block.kind === 'number') {
      const list = listFrom(blocks, at, 0);
      content.push(list.node);
      at = list.end;
    } else {
      const type = block.kind;
      content.push({
        type,
        ...(type === 'heading' && { attrs: { level: Math.max(1, block.level) } }),
        ...textsOf(block),
      });
      at += 1;
    }
  }
  return { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] };
}

/** The list that begins at a block, with deeper lists within its items; `end` is the first block after it. */
function listFrom(blocks: readonly Block[], start: number, level: number): { node: EditorNode; end: number } {
  const { kind } = blocks[start] as Block;
  const items: EditorNode[] = [];
  let at = start;
  for (; at < blocks.length; ) {
    const block = blocks[at] as Block;
    const isList = block.kind === 'bullet' || block.kind === 'number';
    if (!isList || block.level < level || (block.level === level && block.kind !== kind)) break;
    const last = items.at(-1);
    if (block.level > level && last) {
      const deeper = listFrom(blocks, at, block.level);
      last.content?.push(deeper.node);
      at = deeper.end;
    } else {
      items.push({ type: 'listItem', content: [{ type: 'paragraph', ...textsOf(block) }] });
      at += 1;
    }
  }
  return { node: { type: kind === 'bullet' ? 'bulletList' : 'orderedList', content: items }, end: at };
}

const textsOf = ({ runs }: Block): { content?: EditorNode[] } =>
  runs.length === 0
    ? {}
    : {
        content: runs.map(({ text, isBold, isItalic, link }) => {
          const marks = [
            ...(isBold ? [{ type: 'bold' }] : []),
            ...(isItalic ? [{ type: 'italic' }] : []),
            ...(link ? [{ type: 'link', attrs: { href: link } }] : []),
          ];
          return { type: 'text', text, ...(marks.length > 0 && { marks }) };
        }),
      };
