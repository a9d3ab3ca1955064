/** Draws a page of a file into a canvas, turned clockwise by these degrees. */
type Draw = (canvas: HTMLCanvasElement, degrees: number) => Promise<void>;

/** Pixels across a drawn page: sharp when it is zoomed in. */
const drawnWidth = 1600;
/** More pages than any certificate has. */
const mostPages = 20;

/** The pages of a picture or a PDF. Throws where the file cannot be shown. */
export async function openPages(address: string, signal: AbortSignal): Promise<Draw[]> {
  const answer = await fetch(address, { signal });
  if (!answer.ok) throw new Error(`The file was answered with ${answer.status}.`);
  const file = await answer.blob();
  return file.type === 'application/pdf' ? openPdf(file) : [await openPicture(file)];
}

async function openPicture(file: Blob): Promise<Draw> {
  const picture = await createImageBitmap(file);
  return async (canvas, degrees) => {
    const isUpright = degrees % 180 === 0;
    const [width, height] = isUpright ? [picture.width, picture.height] : [picture.height, picture.width];
    Object.assign(canvas, { width, height });
    const pen = canvas.getContext('2d');
    if (!pen) return;
    pen.translate(width / 2, height / 2);
    pen.rotate((degrees * Math.PI) / 180);
    pen.drawImage(picture, -picture.width / 2, -picture.height / 2);
  };
}

async function openPdf(file: Blob): Promise<Draw[]> {
  const [{ getDocument, GlobalWorkerOptions }, worker] = await Promise.all([
    import('pdfjs-dist'),
    import('pdfjs-dist/build/pdf.worker.min.mjs?url'),
  ]);
  GlobalWorkerOptions.workerSrc = worker.default;
  // WebAssembly would need a looser policy for scripts.
  const paper = await getDocument({ data: await file.arrayBuffer(), useWasm: false, useSystemFonts: true }).promise;
  return Array.from(
    { length: Math.min(paper.numPages, mostPages) },
    (_, index): Draw =>
      async (canvas, degrees) => {
        const page = await paper.getPage(index + 1);
        const rotation = (page.rotate + degrees) % 360;
        const { width } = page.getViewport({ scale: 1, rotation });
        const viewport = page.getViewport({ scale: drawnWidth / width, rotation });
        Object.assign(canvas, { width: Math.round(viewport.width), height: Math.round(viewport.height) });
        await page.render({ canvas, viewport }).promise;
      },
  );
}
