import { createHash } from 'node:crypto';
import { type MakePaper, type PaperData, type Template, writePaper } from '#kit/server/paper/paper.ts';

/** A paper that was asked for: its template, and what the template reads, with the words in English. */
export interface AskedPaper {
  template: Template<never>;
  // biome-ignore lint/suspicious/noExplicitAny: papers are looked into freely by the tests.
  data: any;
  /** The pictures, by the names that they have in the data. */
  pictures: Map<string, Uint8Array>;
  /** All texts of the data in their order, without the spaces that a template sets between them. */
  words: string;
}

/** The papers of a school. */
export interface Papers {
  /** All so far. */
  asked: AskedPaper[];
  /** The last one. */
  last: () => AskedPaper;
  /** Set by a test that reads the PDF: papers are made with the real engine. */
  isReal: boolean;
}

/** Keeps what papers are set from, and answers with an empty PDF unless a test wants real papers. */
export function openPapers(makeReal: MakePaper): { papers: Papers; makePaper: MakePaper } {
  const papers: Papers = {
    asked: [],
    last: () => {
      const paper = papers.asked.at(-1);
      if (!paper) throw new Error('No paper was asked for.');
      return paper;
    },
    isReal: false,
  };
  const makePaper: MakePaper = async (template, data, caller) => {
    const written = writePaper(template, data);
    const read: PaperData = JSON.parse(written.data);
    papers.asked.push({ template, data: read, pictures: written.pictures, words: bare(textsOf(read).join('')) });
    return papers.isReal ? makeReal(template, data, caller) : emptyPdf(written.data, ...written.pictures.values());
  };
  return { papers, makePaper };
}

/** Words without their spaces, as `words` of a paper. */
export const bare = (words: string): string => words.replaceAll(/\s+/g, '');

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** An empty page; from other data it has other bytes, as a real paper. */
function emptyPdf(...data: (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of data) hash.update(part);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
  ];
  let file = `%PDF-1.7\n% ${hash.digest('hex')}\n`;
  const starts = objects.map((object, index) => {
    const start = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(start).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 4\n0000000000 65535 f \n${starts.join('')}`;
  return Buffer.from(`${file}${table}trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`, 'latin1');
}
