// Runs in a thread of its own: says whether a PDF opens and holds nothing that acts.
import { parentPort, workerData } from 'node:worker_threads';
import { inflateSync } from 'node:zlib';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

const bytes: Uint8Array = workerData;
const mostInflated = 64 * 1024 * 1024;

parentPort?.postMessage(await judge());

async function judge(): Promise<'clean' | 'active' | 'damaged'> {
  const source = Buffer.from(bytes).toString('latin1');
  if (!source.startsWith('%PDF-')) return 'damaged';
  if ([outsideStreams(source), ...objectStreams(source)].some(namesSomethingActive)) return 'active';
  try {
    const document = await getDocument({
      data: bytes.slice(),
      verbosity: VerbosityLevel.ERRORS,
      disableFontFace: true,
      useSystemFonts: false,
    }).promise;
    if ((await document.hasJSActions()) || (await document.getAttachments())) return 'active';
    await document.getPage(1);
    return 'clean';
  } catch {
    return 'damaged'; // Whatever the reason, it does not open.
  }
}

/** Names of the PDF language that run programs, start others, carry files, or hide all this behind a password. */
function namesSomethingActive(source: string): boolean {
  const plain = source.replace(/#([0-9A-Fa-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return /\/(JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA|Encrypt)\b/.test(plain);
}

/** Streams hold pictures and fonts, in whose bytes such names turn up by chance. */
function outsideStreams(source: string): string {
  return source.replace(/\bstream\r?\n[\s\S]*?\bendstream\b/g, ' ');
}

/** Objects may lie compressed in streams, where a look at the bytes finds nothing. */
function objectStreams(source: string): string[] {
  const found: string[] = [];
  let budget = mostInflated;
  for (const match of source.matchAll(/\/ObjStm\b[\s\S]{0,2000}?stream\r?\n/g)) {
    const start = match.index + match[0].length;
    const end = source.indexOf('endstream', start);
    if (end < 0) continue;
    try {
      const inflated = inflateSync(Buffer.from(source.slice(start, end), 'latin1'), { maxOutputLength: budget });
      budget -= inflated.length;
      found.push(inflated.toString('latin1'));
    } catch {
      found.push('/Encrypt'); // An object stream we cannot look into is treated as hiding something.
    }
  }
  return found;
}
