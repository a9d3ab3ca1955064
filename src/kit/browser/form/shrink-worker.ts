/// <reference lib="webworker" />

/** Qualities of JPEG, tried in turn until the picture is small enough. */
const qualities = [0.82, 0.74, 0.66, 0.6];

export interface ShrinkTask {
  file: Blob;
  /** Pixels along the longer side, at most. */
  longestSide: number;
  maxBytes: number;
}

/** Redraws a picture smaller and upright, without the camera's metadata, such as the place. */
async function shrink({ file, longestSide, maxBytes }: ShrinkTask): Promise<Blob | undefined> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
  const pen = canvas.getContext('2d');
  if (!pen) return undefined;
  pen.fillStyle = '#fff'; // JPEG has no transparency.
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  for (const quality of qualities) {
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
    if (blob.size <= maxBytes) return blob;
  }
  return undefined;
}

self.onmessage = ({ data }: MessageEvent<ShrinkTask>) => {
  shrink(data).then(
    (blob) => self.postMessage(blob),
    () => self.postMessage(undefined),
  );
};
