// Runs in a child process: checks whether a PDF opens and has no active content.
import { uploadMessages } from '#kit/contract/uploads.ts';
import { findActive } from './pdf-objects.ts';
import { type Result, serve } from './serve.ts';

// Suppresses warnings about missing native drawing code, since nothing is drawn here.
globalThis.console.warn = () => undefined;
const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
serve(check);

async function check(bytes: Buffer): Promise<Result> {
  const found = findActive(bytes);
  if (found === 'active') return { refused: uploadMessages.activePdf };
  if (found === 'unclear') return { refused: uploadMessages.unclearPdf };
  if (found === 'opaque') return { refused: uploadMessages.lockedPdf };
  try {
    const document = await getDocument({
      data: new Uint8Array(bytes),
      verbosity: VerbosityLevel.ERRORS,
      disableFontFace: true,
      useSystemFonts: false,
    }).promise;
    if ((await document.hasJSActions()) || (await document.getAttachments()))
      return { refused: uploadMessages.activePdf };
    await document.getPage(1);
    return { bytes: Buffer.alloc(0) };
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    return { refused: isLocked ? uploadMessages.lockedPdf : uploadMessages.damaged };
  }
}
