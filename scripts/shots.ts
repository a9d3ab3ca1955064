// `npm run shots`: takes pictures of every page of the demo school, light and dark, at phone and desktop size.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from './command-line.ts';

const { values } = readCommandLine({
  command: 'npm run shots',
  does: 'Writes pictures of every page of the demo school to var/shots, at 360 and 1280 px, in light and dark colours.',
  options: {
    guide: {
      type: 'boolean',
      help: 'The pictures of docs/use instead, in docs/use/pictures.',
    },
    only: {
      type: 'string',
      value: '<word>',
      help: 'Only pages with this word in the names of their pictures, and their tabs.',
    },
  },
});
const [{ chromium }, { stopOnSignal }, { buildPages }, { provideChromium }, { say }] = await Promise.all([
  import('@playwright/test'),
  import('../src/kit/server/signals.ts'),
  import('./build.ts'),
  import('./chromium.ts'),
  import('./say.ts'),
]);
const { openCamera } = await import('./shots/camera.ts');
const { addressOf, guideShots, keepGuidePicture } = await import('./shots/guide.ts');
const { listShots } = await import('./shots/pages.ts');
const { openDemoSchool } = await import('./shots/school.ts');

/** The number of pages that are open at the same time. */
const atOnce = 2;
const folder = join(import.meta.dirname, '../var/shots');
const undo: (() => unknown)[] = [];
const tidyUp = async () => {
  for (const act of undo.splice(0).reverse()) await act();
};
stopOnSignal(tidyUp);

try {
  const executablePath = provideChromium();
  if (!executablePath) throw new Error('There is no Chromium.');
  await buildPages();
  say('Making the demo school');
  const school = await openDemoSchool();
  undo.push(school.close);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  undo.push(() => browser.close());

  const { only, guide } = values;
  if (!only && !guide) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const people = {
    Staff: await school.signIn('Staff'),
    Admin: await school.signIn('Admin'),
    Teacher: await school.signIn('Teacher'),
  };
  const camera = await openCamera({ browser, origin: school.origin, people, folder });
  // Records of the demo have the number 1 where another one does not show more.
  const records = {
    userID: String(people.Teacher.staffId),
    inquiryID: '1',
    studentID: '1',
    guardianID: '1',
    structureID: '1',
    routeID: '1',
    homeworkID: '1',
    noteID: '1',
    visitID: '1',
    rubricID: '1',
    announcementID: '1',
    meetingID: '1',
    ticketID: '1',
    ...school.records,
  };
  if (guide) {
    const failed: string[] = [];
    for (const shot of guideShots.filter(({ name }) => !only || name.includes(only))) {
      const { problems, picture } = await camera.takeForGuide({ ...shot, address: addressOf(shot, school, records) });
      await keepGuidePicture(shot, picture);
      failed.push(...problems.map((problem) => `${shot.name}: ${problem}`));
    }
    for (const problem of failed) say(`FAILED  ${problem}`);
    process.exitCode = failed.length > 0 ? 1 : 0;
  } else {
    const waiting = listShots(school, records).filter(({ name }) => !only || name.includes(only));
    say('Taking the pictures');

    let taken = 0;
    const failed = new Set<string>();
    const work = async () => {
      for (let shot = waiting.shift(); shot; shot = waiting.shift()) {
        const { name } = shot;
        const { problems, tabs } = await camera
          .take(shot)
          .catch(({ message }: Error) => ({ problems: [message], tabs: [] }));
        waiting.push(...tabs);
        if (problems.length > 0) failed.add(name);
        for (const problem of problems) say(`FAILED  ${name}: ${problem}`);
        taken += 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    say(`Pages in ${folder}: ${taken}; with an error: ${failed.size}`);
    process.exitCode = failed.size > 0 || taken === 0 ? 1 : 0;
  }
} catch (error) {
  say(`The pictures were not taken: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await tidyUp();
}
