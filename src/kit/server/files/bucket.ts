import type { Bytes, Stored } from './bytes.ts';
import { type BucketSettings, openS3, type S3 } from './s3.ts';

/** All files of a school begin so, apart from its archives. */
const files = 'files/';

/** Bytes in a bucket: the server stores a name whole or not at all, and answers when it is safe. */
export function openBucket(settings: BucketSettings): Bytes {
  const s3 = openS3(settings);
  const nameOf = (id: string) => `${files}${id.slice(0, 2)}/${id}`;
  return {
    place: `${s3.place}${files}`,
    put: async (id, body) => void (await s3.send({ method: 'PUT', name: nameOf(id), body })),
    get: async (id) => {
      const { status, bytes } = await s3.send({ method: 'GET', name: nameOf(id) });
      return status === 404 ? undefined : bytes;
    },
    remove: async (id) => void (await s3.send({ method: 'DELETE', name: nameOf(id) })),
    list: (start) => listNames(s3, settings.folder, `${files}${start}/`),
    isEmpty: async () => (await listNames(s3, settings.folder, files, { most: 1 })).length === 0,
  };
}

/** The names below a beginning, without it, and when they were written, asked for page by page; `most` ends it early. */
export async function listNames(
  s3: S3,
  folder: string,
  begin: string,
  { page = 1000, most = Number.POSITIVE_INFINITY } = {},
): Promise<Stored[]> {
  const prefix = `${folder}${begin}`;
  const found: Stored[] = [];
  let next: string | undefined;
  do {
    const { bytes } = await s3.send({
      method: 'GET',
      query: {
        'list-type': '2',
        'encoding-type': 'url',
        'max-keys': String(Math.min(page, most)),
        prefix,
        ...(next && { 'continuation-token': next }),
      },
    });
    const said = bytes.toString();
    for (const one of said.split('<Contents>').slice(1)) {
      const name = decodeURIComponent((wordIn(one, 'Key') ?? '').replaceAll('+', ' '));
      if (name.length > prefix.length)
        found.push({ name: name.slice(prefix.length), writtenAt: new Date(wordIn(one, 'LastModified') ?? '') });
    }
    next = wordIn(said, 'IsTruncated') === 'true' ? wordIn(said, 'NextContinuationToken') : undefined;
  } while (next && found.length < most);
  return found;
}

/** The text of an element without entities: what is asked for has none. */
export const wordIn = (xml: string, element: string): string | undefined => xml.split(`<${element}>`)[1]?.split('<')[0];
