import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readSchoolName } from '#features/school/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { english } from '#kit/contract/text.ts';
import type { Proof, Services } from '#kit/server/context.ts';
import { addHits, networkOf } from '#kit/server/security/limits.ts';

/** Unknown codes of one network within an hour; the log says so once, and after the most no code is looked up. */
const unknownCodes = { kind: 'unknown-proof', windowSeconds: 3600 };
const logged = 30;
const most = 300;
const shape = /^[1-9A-HJ-NP-Za-km-z]{10}$/;

/**
 * `/c/…`, the address in the code on a paper: says that the paper is valid, void or replaced, and never whose it is. Known
 * and unknown codes take the same statements.
 */
export function serveProofs(app: FastifyInstance, services: Services) {
  const open = async (request: FastifyRequest<{ Params: { code: string } }>, reply: FastifyReply) => {
    const code = shape.exec(request.params.code)?.[0] ?? '';
    const found = await Promise.all(services.proofs.map((find) => find(services, code)));
    const proof = found.find((one) => one !== undefined);
    const { hits } = await addHits(services.db, unknownCodes, networkOf(request.ip), proof ? 0 : 1);
    if (!proof && hits === logged) request.log.warn('One network tries many unknown codes of papers');
    const school = await readSchoolName(services);
    const isRefused = hits > most;
    const lines = isRefused ? tooMany : linesOf(proof, school);
    return reply
      .code(isRefused ? 429 : proof ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(pageOf(school, lines));
  };
  for (const path of ['/c/:code', '/c/:code/']) app.get(path, { config: { access: 'public' } }, open);
  app.get('/c/page.css', { config: { access: 'public' } }, (_, reply) =>
    reply.type('text/css; charset=utf-8').send(sheet),
  );
}

interface Lines {
  state: 'good' | 'bad' | 'none';
  word: string;
  english: string;
  gujarati: string;
}

function linesOf(proof: Proof | undefined, school: string): Lines {
  if (!proof)
    return {
      state: 'none',
      word: 'Unknown',
      english: `This code is not one of ${school}. Papers issued before November 2026 have no such code: ask the school’s office about them.`,
      gujarati: 'આ કોડ આ શાળાનો નથી. નવેમ્બર ૨૦૨૬ પહેલાં આપેલા કાગળ વિશે શાળાની ઑફિસમાં પૂછો.',
    };
  const { number, issuedOn, voidSince, replacedBy, language } = proof;
  const issued = `issued ${language ? `in ${language} ` : ''}on ${showDate(issuedOn)}`;
  const paper = `${english(proof.title)} ${number} of ${school}, ${issued}.`;
  if (replacedBy)
    return {
      state: 'bad',
      word: 'Replaced',
      english: `${paper} It was replaced by ${replacedBy} and is no longer valid.`,
      gujarati: `આ પ્રમાણપત્રને બદલે ${replacedBy} આપવામાં આવ્યું છે. આ હવે માન્ય નથી.`,
    };
  if (voidSince)
    return {
      state: 'bad',
      word: 'Void',
      english: `${paper} It is void since ${showDate(voidSince)}.`,
      gujarati: `આ પ્રમાણપત્ર ${showDate(voidSince)} થી રદ છે.`,
    };
  return {
    state: 'good',
    word: 'Valid',
    english: `${paper} Compare this number and day with the paper.`,
    gujarati: 'આ પ્રમાણપત્ર માન્ય છે. નંબર અને તારીખ કાગળ સાથે સરખાવો.',
  };
}

const tooMany: Lines = {
  state: 'none',
  word: 'Wait',
  english: 'Too many unknown codes came from this network. Try again in an hour.',
  gujarati: 'આ નેટવર્ક પરથી ઘણા ખોટા કોડ આવ્યા. એક કલાક પછી ફરી પ્રયત્ન કરો.',
};

const pageOf = (school: string, lines: Lines) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`${lines.word} · ${school}`)}</title><link rel="stylesheet" href="/c/page.css">
<main><p>${escaped(school)}</p><h1 class="${lines.state}">${lines.word}</h1><p>${escaped(lines.english)}</p>
<p lang="gu">${escaped(lines.gujarati)}</p></main></html>`;

const sheet = `body{margin:0;font:18px/1.5 system-ui,sans-serif;color:#1b1b1b;background:#f5f5f3}
main{max-width:32rem;margin:10vh auto;padding:24px;background:#fff;border-radius:8px}
h1{margin:8px 0;font-size:32px}.good{color:#0f6b3d}.bad{color:#a3261b}`;

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => signs[sign] ?? '');
