// Fifty parents at work: asks the server at fixed moments, from a process of its own.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { answerAll } from './child.ts';
import { atPace, type Taken } from './pace.ts';
import { type Ask, uploadStep, visitSteps } from './visit.ts';

export interface Load {
  port: number;
  seconds: number;
  specialty: { id: number; sectorId: number };
  /** Link values; each family is visited at most once, and so is each of those who send a picture. */
  families: string[];
  uploaders: string[];
  perSecond: number;
  uploadsPerSecond: number;
}

export const parents = 50;

/** As many lines to the server as a browser opens. */
const agents = Array.from({ length: parents }, () => new Agent({ keepAlive: true, maxSockets: 6 }));

answerAll({
  run: async (load: Load): Promise<{ mix: Taken; uploads: Taken }> => {
    const steps = await visitSteps(load.specialty);
    const upload = await uploadStep();
    const { seconds } = load;
    const [mix, uploads] = await Promise.all([
      atPace({ perSecond: load.perSecond, seconds }, (index) => {
        // Parents take turns; each goes through the form of one family after the other. They began at different steps, or
        // fifty saves would follow fifty reads, which is no mix.
        const parent = index % parents;
        const turn = Math.floor(index / parents) + (parent % steps.even.length);
        const family = Math.floor(turn / steps.even.length) * parents + parent;
        const step = (family % 2 === 0 ? steps.even : steps.odd)[turn % steps.even.length] as Ask;
        return { kind: step.kind, end: ask(load.port, index, step, load.families[family]) };
      }),
      atPace({ perSecond: load.uploadsPerSecond, seconds }, (index) => ({
        kind: upload.kind,
        end: ask(load.port, index, upload, load.uploaders[index]),
      })),
    ]);
    return { mix, uploads };
  },
});

function ask(port: number, index: number, { path, body, type }: Ask, link: string | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const sent = request({
      port,
      host: '127.0.0.1',
      agent: agents[index % parents],
      method: body ? 'POST' : 'GET',
      path: `/api/admission/${path}?inquiryNo=${link}`,
      headers: body ? { 'content-type': type, 'content-length': body.length, 'idempotency-key': randomUUID() } : {},
      timeout: 20_000,
    });
    sent.once('timeout', () => sent.destroy(new Error('No answer within 20 s')));
    sent.once('error', fail);
    sent.once('response', (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.once('end', () => {
        // Every form is filled in, so that even a read that finds nothing is a failure.
        const isGood = answer.statusCode === 200 && !text.includes('"isSuccess":false');
        if (isGood) done();
        else fail(new Error(`${path}: ${answer.statusCode} ${text.slice(0, 200)}`));
      });
      answer.once('error', fail);
    });
    sent.end(body);
  });
}
