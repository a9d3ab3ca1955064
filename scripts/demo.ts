import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listInquiries, seedDemo } from '../database/seed/demo.ts';
import { buildServer } from '../src/app/server.ts';
import { openServices } from '../src/app/services.ts';
import type { Config } from '../src/kit/server/config.ts';
import { openLog } from '../src/kit/server/log.ts';
import { say } from './say.ts';

/** Fills an empty database with the demo school, and says where its families' forms are (also in var/demo.json). */
export async function showDemo(config: Config) {
  const log = openLog('silent');
  const { services, close } = await openServices(config, log);
  try {
    const app = await buildServer(services, config, log);
    if (await seedDemo(app, services)) say('Made the demo school');
    await app.close();

    const inquiries = await listInquiries(services);
    mkdirSync(config.folder, { recursive: true });
    const summary = { baseUrl: config.publicUrl, inquiries, accounts: [] };
    writeFileSync(join(config.folder, 'demo.json'), `${JSON.stringify(summary, null, 2)}\n`);
    say('The demo parents’ links:');
    for (const { inquiryNo, link, state } of inquiries) say(`  ${inquiryNo}  ${state.padEnd(15)}  ${link}`);
  } finally {
    await close();
  }
}
