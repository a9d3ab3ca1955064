// `npm run new:master -- school/club --title "Club Master"`: writes a master's definition and its migration, both with
// a name only. CONTRIBUTING.md, "Adding a master", describes the next steps.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from './command-line.ts';
import { say } from './say.ts';

const root = join(import.meta.dirname, '..');
const usage = 'Name it as feature/word, with its title: npm run new:master -- school/club --title "Club Master".';

const {
  argument: place = '',
  values: { title = '' },
} = readCommandLine({
  command: 'npm run new:master',
  does: 'Writes the definition of a master and its migration, both to be filled in.',
  options: { title: { type: 'string', value: '<title>', help: 'Its title, such as "Club Master". Required.' } },
  argument: { name: 'feature/word', help: 'Feature and name of the table, such as school/club. Required.' },
});
const [, feature = '', word = ''] = /^([a-z-]+)\/([a-z]+(?:-[a-z]+)*)$/.exec(place) ?? [];
const files = ['contract/masters.ts', 'contract.ts'].map((file) => `src/features/${feature}/${file}`);
const contract = files.find((file) => existsSync(join(root, file)));
if (!word || !title || !contract) {
  say(contract || !feature ? usage : `${usage} There is no contract of the feature ${feature} yet.`);
  process.exit(1);
}

const table = `${feature}_${word}`.replaceAll('-', '_');
const singular = title.replace(/ Master$/, '').toLowerCase();
const plural = singular
  .replace(/[^aeiou]y$/, (end) => `${end[0]}ie`)
  .replace(/(s|ch|sh|x)$/, '$1e')
  .concat('s');
const name = `${word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())}Master`;

const text = readFileSync(join(root, contract), 'utf8');
if (text.includes(`'${table}'`) || !text.includes('defineMaster')) {
  say(
    text.includes('defineMaster')
      ? `There is ${table} already.`
      : `${contract} has no masters yet: import defineMaster first.`,
  );
  process.exit(1);
}

const migrations = join(root, 'database/migrations');
const minute = new Date().toISOString().replace(/[-T:]/g, '').slice(0, 12);
const migration = `${minute}_${table}.sql`;
writeFileSync(
  join(migrations, migration),
  `create table ${table} (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 60),
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index ${table}_name_unique on ${table} (lower(name));
grant select, insert, update, delete on ${table} to shala_app;
`,
);

const definition = `export const ${name} = defineMaster({
  table: '${table}',
  path: '/${feature}/${word}',
  singular: text\`${singular}\`,
  plural: text\`${plural}\`,
  access,
  fields: {
    name: field.text(text\`Name\`, { max: 60 }),
  },
});
`;
// The lists at the end of the file name the masters above them.
const at = text.search(/^(\/\*\* .* \*\/\n)?export const \w+Masters = /m);
writeFileSync(
  join(root, contract),
  at < 0 ? `${text}\n${definition}` : `${text.slice(0, at)}${definition}\n${text.slice(at)}`,
);

say(`Written: database/migrations/${migration} and ${name} in ${contract}.`);
say('CONTRIBUTING.md, "Adding a master", says what comes after.');
