import { inflateSync } from 'node:zlib';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A piece of text on a page, in points from its lower left corner. */
export interface Piece {
  str: string;
  x: number;
  y: number;
  size: number;
  width: number;
  /** It is the last of its line. */
  isLast: boolean;
}

/**
 * The text of each page in pieces. Where several glyphs make up letters, a PDF says which (ActualText); other readers
 * copy that, and pdfjs each glyph's own letters.
 */
export async function piecesOf(bytes: Buffer): Promise<Piece[][]> {
  const actual = actualTexts(bytes);
  const file = await getDocument({ data: new Uint8Array(bytes) }).promise;
  const pages: Piece[][] = [];
  for (let number = 1; number <= file.numPages; number++) {
    const { items } = await (await file.getPage(number)).getTextContent({ includeMarkedContent: true });
    const pieces: Piece[] = [];
    const open: boolean[] = [];
    let replaced: Piece | undefined;
    for (const item of items) {
      if ('str' in item) {
        const [, , , size, x, y] = item.transform as [number, number, number, number, number, number];
        const { str, width, hasEOL: isLast } = item;
        const piece = { str, x, y, size: Math.abs(size), width, isLast };
        if (!replaced) pieces.push(piece);
        // Between words pdfjs adds a space.
        else if (replaced.size === 0 && str === ' ') pieces.splice(-1, 0, piece);
        else if (replaced.size === 0) Object.assign(replaced, piece, { str: replaced.str });
        else Object.assign(replaced, { width: replaced.width + width, isLast: replaced.isLast || isLast });
      } else if (item.type === 'endMarkedContent') {
        if (open.pop()) replaced = undefined;
      } else {
        const isReplaced =
          item.type === 'beginMarkedContentProps' && (item as { tag?: string }).tag === 'Span' && !item.id;
        open.push(isReplaced);
        if (!isReplaced) continue;
        replaced = { str: actual.shift() ?? '', x: 0, y: 0, size: 0, width: 0, isLast: false };
        pieces.push(replaced);
      }
    }
    pages.push(pieces);
  }
  if (actual.length > 0) throw new Error('The pages of this PDF are not in the order of its file.');
  return pages;
}

/** The text of each page of a PDF, as a reader copies it. */
export async function pagesOf(bytes: Buffer): Promise<string[]> {
  const pages = await piecesOf(bytes);
  return pages.map((pieces) => pieces.map(({ str, isLast }) => (isLast ? `${str} ` : str)).join(''));
}

const [opening, closing] = ['stream\n', 'endstream'];

/** What letters the glyphs of a PDF make up, in the order of its file. */
function actualTexts(bytes: Buffer): string[] {
  const texts: string[] = [];
  let end = 0;
  for (let start = bytes.indexOf(opening); start >= 0; start = bytes.indexOf(opening, end)) {
    end = bytes.indexOf(closing, start) + closing.length;
    const content = inflated(bytes.subarray(start + opening.length, end));
    for (const [, hex = ''] of content.matchAll(/\/ActualText <FEFF([\dA-F]*)>/g))
      texts.push(Buffer.from(hex, 'hex').swap16().toString('utf16le'));
  }
  return texts;
}

function inflated(stream: Buffer): string {
  try {
    return inflateSync(stream).toString('latin1');
  } catch {
    return ''; // Not compressed in this way, so no content of a page.
  }
}

/** What a screen reader is told: the declared standard, metadata, roles of the tags in their order, and texts of pictures. */
export async function readStructure(bytes: Buffer) {
  const file = await getDocument({ data: new Uint8Array(bytes) }).promise;
  const { info, metadata } = await file.getMetadata();
  const marks = await file.getMarkInfo();
  const roles: string[] = [];
  const alternatives: string[] = [];
  const walk = (node: { role?: string; alt?: string; children?: object[] }) => {
    if (node.role) roles.push(node.role);
    if (node.role === 'Figure') alternatives.push(node.alt ?? '');
    for (const child of node.children ?? []) walk(child);
  };
  for (let number = 1; number <= file.numPages; number++) walk(await (await file.getPage(number)).getStructTree());
  return {
    declares: metadata?.get('pdfuaid:part') ? `PDF/UA-${metadata.get('pdfuaid:part')}` : '',
    // The types say an object.
    isTagged: (marks as unknown as ReadonlyMap<string, boolean> | null)?.get('Marked') ?? false,
    info: info as Record<string, unknown>,
    roles,
    alternatives,
  };
}
