import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { menusInMenus, pageLayouts } from './page-layout.ts';

const path = 'src/features/garden/pages/Bed.module.css';

test.each(['flex', 'grid', 'inline-flex', 'inline-grid'])('%s in the sheet of a page is found', (display) => {
  expect(pageLayouts([{ path, text: `.bed {\n  display: ${display};\n}\n` }], {})).toHaveLength(1);
});

test('flex or grid in a media query of a sheet is found, in a comment it is not', () => {
  expect(pageLayouts([{ path, text: '@media print {\n  .bed {\n    display: flex;\n  }\n}\n' }], {})).toHaveLength(1);
  expect(pageLayouts([{ path, text: '/* display: flex; */\n.bed {\n  display: block;\n}\n' }], {})).toEqual([]);
});

test('a sheet has as many such rules as its exception says, neither more nor fewer', () => {
  const text = '.bed {\n  display: flex;\n}\n';
  expect(pageLayouts([{ path, text }], { [path]: 1 })).toEqual([]);
  expect(pageLayouts([{ path, text: text + text }], { [path]: 1 })).toHaveLength(1);
  expect(pageLayouts([{ path, text }], { [path]: 2 })).toHaveLength(1);
  expect(pageLayouts([], { [path]: 1 })).toHaveLength(1);
});

test('a menu within the menu of a row is found', () => {
  const page = (text: string) => menusInMenus([{ path: 'src/features/garden/pages/Beds.tsx', text }]);
  expect(page('<RecordList actions={() => <RowMenu name="Oak" />} />')).toHaveLength(1);
  expect(page('<RecordList actions={() => <Menu.Item />} />')).toEqual([]);
  expect(page('<CardTable rows={[<RowMenu name="Oak" />]} />')).toEqual([]);
});

test('the check is one of those of npm run check', () => {
  expect(readFileSync(join(import.meta.dirname, 'checks.ts'), 'utf8')).toContain("'scripts/page-layout.ts'");
});
