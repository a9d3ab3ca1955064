import sharp from 'sharp';
import { additionalInfoAnswers, basicInfoAnswers, healthAnswers, parentInfoAnswers } from '#database/seed/answers.ts';

/** One request of a parent, without the family it is for. */
export interface Ask {
  kind: 'read' | 'save' | 'upload';
  path: string;
  body?: Buffer;
  type?: string;
}

const read = (path: string): Ask => ({ kind: 'read', path });

/** Every page of a family's form was saved once, so a parent who opens the form has read this version. */
const rowVersion = '1';

/**
 * The requests of a parent who goes through a half-filled form, in order: seven reads and three saves without files.
 */
export async function visitSteps(specialty: { id: number; sectorId: number }) {
  const parents = parentInfoAnswers(specialty.sectorId, specialty.id);
  const saveHealth = await multipart('health', healthAnswers);
  const contacts = Buffer.from(JSON.stringify({ ...additionalInfoAnswers, rowVersion: Number(rowVersion) }));
  const saveContacts: Ask = { kind: 'save', path: 'additional-info', body: contacts, type: 'application/json' };
  const saveChild = await multipart('basic-info', basicInfoAnswers);
  const saveParents = await multipart('parent-info', parents);
  const steps = (lastSave: Ask) => [
    read('inquiry'),
    read('basic-info'),
    saveChild,
    read('parent-info'),
    saveParents,
    read('health'),
    read('education-history'),
    lastSave,
    read('additional-info'),
    read('documents'),
  ];
  return { even: steps(saveHealth), odd: steps(saveContacts) };
}

/** The first page saved with another picture of the child, as a phone sends it. */
export async function uploadStep(): Promise<Ask> {
  const picture = new File([new Uint8Array(await pictureOf(300_000))], 'child.jpg');
  return { ...(await multipart('basic-info', basicInfoAnswers, picture)), kind: 'upload' };
}

async function multipart(path: string, fields: Record<string, string>, photo?: File): Promise<Ask> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, rowVersion })) form.append(name, value);
  if (photo) form.append('admissionStudentImageIFormFile', photo);
  const sent = new Response(form);
  const type = sent.headers.get('content-type') ?? '';
  return { kind: 'save', path, body: Buffer.from(await sent.arrayBuffer()), type };
}

/** A grainy picture of 1200 by 900 pixels with about this many bytes. */
async function pictureOf(bytes: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const;
  const grain = { width: 900, height: 1200, channels: 3, background: '#888', noise } as const;
  const raw = await sharp({ create: grain }).png().toBuffer();
  let best = Buffer.alloc(0);
  for (let quality = 95; quality > 20 && (best.length === 0 || best.length > bytes * 1.03); quality--) {
    best = await sharp(raw).jpeg({ quality }).toBuffer();
  }
  return best;
}
