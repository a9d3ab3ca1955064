/** A part of a line: words, or words in bold, or a link to another page of the guide by its key. */
export type Inline = string | { bold: string } | { words: string; page: string };

export type Block =
  | { kind: 'head'; words: string }
  | { kind: 'text'; line: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }
  | { kind: 'picture'; words: string; src: string };

/** A page of the guide in docs/use, as the build reads it. */
export interface GuidePage {
  title: string;
  blocks: Block[];
}
