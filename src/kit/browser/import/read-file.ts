import { workbookMark } from '#kit/contract/import-limits.ts';

/** A chosen file as it is sent: a CSV file as text, or a workbook in base64 after its mark. */
export interface SentFile {
  name: string;
  text: string;
  /** The first words with other letters than ASCII, where the letters were read as Windows-1252. */
  guessed: string[];
}

const mostWords = 3;

export async function readFile(file: File): Promise<SentFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { name } = file;
  // Every workbook is a ZIP archive.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    let binary = '';
    for (let done = 0; done < bytes.length; done += 8192)
      binary += String.fromCharCode(...bytes.subarray(done, done + 8192));
    return { name, text: workbookMark + btoa(binary), guessed: [] };
  }
  const encoding = markedEncoding(bytes);
  if (encoding) return { name, text: new TextDecoder(encoding).decode(bytes), guessed: [] };
  try {
    return { name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), guessed: [] };
  } catch {
    // A binary file has zeros, which no table has: the server refuses it in words.
    if (bytes.includes(0)) return { name, text: new TextDecoder().decode(bytes), guessed: [] };
    const text = new TextDecoder('windows-1252').decode(bytes);
    const words = text.split(/[^\p{L}\p{M}’'-]+/u).filter((word) => /[\u0080-\uffff]/.test(word));
    return { name, text, guessed: [...new Set(words)].slice(0, mostWords) };
  }
}

/** Excel’s "Unicode text" is UTF-16, which begins with a mark. */
function markedEncoding([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}
