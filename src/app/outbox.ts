import type { FastifyInstance } from 'fastify';
import type { Services } from '#kit/server/context.ts';
import { listOutbox, type Template } from '#kit/server/outbox.ts';

/** /dev/outbox: what would have been sent, newest first. Never served in production, since it shows links. */
export function serveOutbox(app: FastifyInstance, services: Services, templates: Record<string, Template>) {
  app.get('/dev/outbox', { config: { access: 'public' } }, async (_request, reply) => {
    const messages = await listOutbox(services, templates);
    const items = messages.map(
      ({ channel, recipient, queued_at, rendered }) => `
        <article>
          <h2>${escaped(rendered?.subject ?? 'Nothing left to send')}</h2>
          <p>${channel} to ${escaped(recipient)}, ${queued_at.toISOString()}</p>
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
