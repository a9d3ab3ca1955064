import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { type Config, isLoopback } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { type Job, startJobs } from '#kit/server/job/jobs.ts';
import { queueRuns, workOnRun } from '#kit/server/job/runs.ts';
import { openSenders } from '#kit/server/messages/mail.ts';
import { listOutbox, queueWaiting, sendMessage } from '#kit/server/messages/outbox.ts';
import { allMessages, allRuns } from './features.server.ts';

const payload = z.object({ id: z.int() });

export interface Sending {
  stop: () => Promise<void>;
}

/** Works on runs, and sends the waiting messages by the configured channels. */
export async function startSending(
  services: Services,
  config: Config,
  log: Logger,
  answerWithin?: number,
): Promise<Sending> {
  const senders = openSenders(config, answerWithin);
  const sends = senders.email !== undefined || senders.sms !== undefined;
  if (sends) await queueWaiting(services);
  await queueRuns(services);
  return startJobs({
    ownerUrl: config.databaseOwnerUrl,
    pool: config.pool,
    log,
    tasks: {
      run: (value) => workOnRun(services, allRuns, payload.parse(value).id),
      // Without a channel messages wait.
      ...(sends && {
        'send-message': (value: unknown, job: Job) =>
          sendMessage(services, allMessages, senders, payload.parse(value).id, job),
      }),
    },
  });
}

/**
 * /dev/outbox: the waiting messages, newest first. It shows links and codes, so production does not serve it, and other
 * servers only under this machine's own name, since a foreign host name may resolve to it.
 */
export function serveOutbox(app: FastifyInstance, services: Services) {
  app.get('/dev/outbox', { config: { access: 'public' } }, async (request, reply) => {
    if (!isLoopback(request.hostname)) return reply.callNotFound();
    const waiting = await listOutbox(services, allMessages);
    const items = waiting.map(
      ({ channel, recipient, queued_at, rendered, isRefused }) => `
        <article>
          <h2>${escaped(rendered?.subject ?? 'Nothing left to send')}</h2>
          <p>${channel} to ${escaped(recipient ?? '')}, ${queued_at.toISOString()}</p>
          ${isRefused ? '<p>Will not be sent: the text differs from the registered template.</p>' : ''}
          <p>${linked(escaped(rendered?.text ?? ''))}</p>
        </article>`,
    );
    const body = items.join('') || '<p>No messages yet.</p>';
    return reply
      .type('text/html; charset=utf-8')
      .send(`<!doctype html><html lang="en"><title>Outbox</title><h1>Outbox</h1>${body}</html>`);
  });
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => signs[sign] ?? '');
const linked = (text: string) => text.replace(/https?:\/\/[^\s]+/g, (address) => `<a href="${address}">${address}</a>`);
