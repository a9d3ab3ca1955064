import { shrink } from '#kit/browser/form/shrink.ts';
import type { Text } from '#kit/contract/text.ts';
import { canShrink, headBytes, megabyte, refusal, type UploadRule, uploadMessages } from '#kit/contract/uploads.ts';
import { homeworkMessages, mostFiles } from '../contract/words.ts';

export interface Refused {
  name: string;
  reason: Text;
}

/** A photo is sent at most this large: families open it on a phone. */
const largestPhoto = megabyte;

/** Makes large photos smaller, and takes as many files as there is room for; says why the others are not taken. */
export async function takeFiles(
  chosen: readonly File[],
  { rule, room, smaller = shrink }: { rule: UploadRule; room: number; smaller?: typeof shrink },
) {
  const taken: File[] = [];
  const refused: Refused[] = [];
  for (const file of chosen) {
    if (taken.length >= Math.min(room, mostFiles)) {
      refused.push({ name: file.name, reason: homeworkMessages.files });
      continue;
    }
    const bytes = await file
      .slice(0, headBytes)
      .arrayBuffer()
      .catch(() => undefined);
    const head = new Uint8Array(bytes ?? []);
    const isLarge = canShrink(rule, head) && file.size > largestPhoto;
    const made = isLarge ? await smaller(file, { ...rule, maxBytes: largestPhoto }).catch(() => undefined) : undefined;
    // Without a worker the photo is sent as it is.
    const sent = made ?? file;
    const reason = bytes ? refusal(rule, { size: sent.size, head }) : uploadMessages.damaged;
    if (reason) refused.push({ name: file.name, reason });
    else taken.push(sent);
  }
  return { taken, refused };
}
