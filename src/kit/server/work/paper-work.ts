// Runs in a child process: sets a paper as a PDF.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { WrittenPaper } from '#kit/server/paper/paper.ts';
import { serve } from './serve.ts';

// One paper uses one processor.
process.env.RAYON_NUM_THREADS = '1';

const { resolve } = createRequire(import.meta.url);
const fonts = ['noto-sans/400Regular/NotoSans_400Regular', 'noto-sans/600SemiBold/NotoSans_600SemiBold'].flatMap(
  (font) => [font, font.replace('noto-sans', 'noto-sans-gujarati').replace('NotoSans', 'NotoSansGujarati')],
);
/** A template reads no file but those that it is given. */
const workspace = '/papers';
const compiler = NodeCompiler.create({
  workspace,
  fontArgs: [{ fontBlobs: fonts.map((font) => readFileSync(resolve(`@expo-google-fonts/${font}.ttf`))) }],
});

serve((sent) => {
  const { sources, data, pictures } = deserialize(sent) as WrittenPaper;
  compiler.addSource(join(workspace, 'parts.typ'), sources.parts);
  for (const [name, picture] of pictures) compiler.mapShadow(join(workspace, name), Buffer.from(picture));
  const compiled = compiler.compile({ mainFileContent: sources.main, inputs: { data } });
  const faults = compiled.takeError();
  if (faults) throw new Error(JSON.stringify(compiler.fetchDiagnostics(faults)));
  const { result } = compiled;
  if (!result) throw new Error('The template made no paper.');
  // Papers share no text, so that kept parts only take memory.
  compiler.evictCache(0);
  compiler.resetShadow();
  return { bytes: pdfOf(result) };
});

/** A letter without a font is a box, which PDF/UA forbids; then the PDF has all but its declaration. */
function pdfOf(paper: Parameters<NodeCompiler['pdf']>[0]): Buffer {
  try {
    return compiler.pdf(paper, { pdfStandard: 'ua-1' });
  } catch (error) {
    if (!/could not be displayed with font/.test(String(error))) throw error;
    return compiler.pdf(paper, { pdfStandard: '1.7' });
  }
}
