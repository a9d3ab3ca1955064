// `npm run text`: brings the catalogues up to date, of the pages' own text and of the contracts' labels and messages.
// With --check it changes nothing and fails where a catalogue is stale.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { comingPages } from '../src/app/coming.ts';
import { allMasters, features } from '../src/app/features.server.ts';
import { dashboardPage, menu } from '../src/app/menu.ts';
import { allRoutes } from '../src/app/server.ts';
import { bandFields, gradingMessages } from '../src/features/academic/contract/grading-scale.ts';
import { setWords } from '../src/features/account/contract/access.ts';
import * as additionalInfo from '../src/features/admission-form/contract/additional-info.ts';
import * as basicInfo from '../src/features/admission-form/contract/basic-info.ts';
import * as consent from '../src/features/admission-form/contract/consent.ts';
import * as document from '../src/features/admission-form/contract/document.ts';
import * as education from '../src/features/admission-form/contract/education.ts';
import * as form from '../src/features/admission-form/contract/form.ts';
import * as health from '../src/features/admission-form/contract/health.ts';
import * as inquiry from '../src/features/admission-form/contract/inquiry.ts';
import * as language from '../src/features/admission-form/contract/language.ts';
import * as message from '../src/features/admission-form/contract/message.ts';
import * as parentInfo from '../src/features/admission-form/contract/parent-info.ts';
import { calendarMessages, weeklyOffKind } from '../src/features/calendar/contract/calendar.ts';
import { backupMessages } from '../src/features/dashboard/contract.ts';
import { resetWords, seriesWords } from '../src/features/school/contract/number-series.ts';
import * as errors from '../src/kit/contract/errors.ts';
import { fieldInfo } from '../src/kit/contract/fields.ts';
import { inactiveMessage, isActiveLabel, refsOf, takenMessage } from '../src/kit/contract/master.ts';
import { patternMessages } from '../src/kit/contract/numbering.ts';
import { uploadMessages } from '../src/kit/contract/uploads.ts';
import { readCommandLine } from './command-line.ts';

const { values } = readCommandLine({
  command: 'npm run text',
  does: 'Brings the catalogues in src/locales up to date with the pages and the contracts.',
  options: { check: { type: 'boolean', help: 'Change nothing, and end with 1 where a catalogue is stale.' } },
});

const root = join(import.meta.dirname, '..');
const contracts = [
  additionalInfo,
  basicInfo,
  consent,
  document,
  education,
  errors,
  form,
  health,
  inquiry,
  language,
  message,
  parentInfo,
];
const isCheck = values.check;
const listed = join(root, 'src/locales/contract-text.ts');

const before = readAll();
writeFileSync(listed, contractText());
extract();

if (isCheck) {
  const after = readAll();
  const stale = Object.keys({ ...before, ...after }).filter((file) => before[file] !== after[file]);
  for (const file of stale) writeFileSync(join(root, file), before[file] ?? '');
  if (stale.length > 0) {
    process.stderr.write(`Stale: ${stale.join(', ')}. Run npm run text.\n`);
    process.exitCode = 1;
  }
} else {
  // Lingui puts a new text in its place in the order only once it has read it back from the catalogue.
  extract();
}

function extract() {
  const done = spawnSync('node_modules/.bin/lingui', ['extract', '--clean'], { cwd: root, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr);
}

function readAll(): Record<string, string> {
  const files = globSync(['src/locales/**/*.po', 'src/locales/contract-text.ts'], { cwd: root });
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** The texts among what a contract exports: sentences, and lists of them. */
function textsOf(exported: unknown): string[] {
  if (typeof exported === 'string') return exported.startsWith('/') ? [] : [exported];
  const isList = Array.isArray(exported) && exported.every((item) => typeof item === 'string');
  return isList ? exported : [];
}

/** A file that Lingui's extraction reads: every label, choice and message of every contract, each once. */
function contractText(): string {
  const texts = new Set<string>([
    ...contracts.flatMap((contract) => Object.values(contract)).flatMap(textsOf),
    ...Object.values(uploadMessages),
    ...Object.values(backupMessages),
    ...Object.values(calendarMessages),
    weeklyOffKind,
    ...Object.values(gradingMessages),
    ...Object.values(resetWords),
    ...Object.values(seriesWords),
    ...patternMessages,
    ...Object.values(setWords).flatMap(({ name, opens }) => [name, opens]),
    ...basicInfo.addressParts.map((part) => `${basicInfo.permanentLabels[`permanent${part}`]} is required.`),
  ]);
  const addField = (field: Parameters<typeof fieldInfo.get>[0]) => {
    const info = fieldInfo.get(field);
    for (const text of info ? [info.label, ...(info.options ?? []), ...info.messages] : []) texts.add(text);
  };
  for (const { title, description: what } of [dashboardPage, ...comingPages, ...features.flatMap(({ pages }) => pages)])
    texts.add(title).add(what ?? title);
  for (const { title } of Object.values(menu).flat()) texts.add(title);
  for (const { constraintMessages } of features) for (const text of Object.values(constraintMessages)) texts.add(text);
  for (const master of allMasters) {
    const { singular, plural, description: what, fields, key, constraintMessages: refusals = {} } = master;
    for (const text of [singular, plural, what, isActiveLabel]) texts.add(text);
    for (const { label, hint } of Object.values(fields)) texts.add(label).add(hint ?? label);
    for (const name of key) texts.add(takenMessage(master, name));
    for (const [name] of refsOf(master)) texts.add(inactiveMessage(master, name));
    for (const { message } of Object.values(refusals)) texts.add(message);
  }
  for (const field of Object.values(bandFields)) addField(field);
  for (const { endpoint } of allRoutes) {
    const shape = (endpoint.input as { shape?: object }).shape ?? {};
    for (const field of Object.values(shape)) addField(field);
    for (const { label, wrongType, tooLarge } of Object.values(endpoint.files ?? {})) {
      for (const text of [label, wrongType, tooLarge]) texts.add(text);
    }
  }
  const lines = [...texts].sort().map((text) => `  /*i18n*/ { id: ${JSON.stringify(text)} },`);
  return `// Written by \`npm run text\` from the contracts; do not edit.\nexport const contractText = [\n${lines.join('\n')}\n];\n`;
}
