import { expect, test } from 'vitest';
import { settingProblem } from '#kit/contract/setting.ts';
import { english } from '#kit/contract/text.ts';
import { allSettings } from './features.server.ts';

const repeated = (values: readonly string[]) => values.filter((value, place) => values.indexOf(value) !== place);

test('no two settings have the same key, or the same label in one group', () => {
  expect(repeated(allSettings.map(({ key }) => key))).toEqual([]);
  expect(repeated(allSettings.map(({ group, label }) => `${english(group)}: ${english(label)}`))).toEqual([]);
});

test('every setting has a key of its feature, and accepts its default', () => {
  for (const one of allSettings) {
    expect(one.key).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/);
    expect([one.key, settingProblem(one, one.default)]).toEqual([one.key, undefined]);
  }
});

test('an hour that comes before another one names an hour, and the defaults are in order', () => {
  for (const { key, isBefore, default: hour } of allSettings) {
    if (isBefore === undefined) continue;
    const later = allSettings.find((other) => other.key === isBefore);
    expect([key, later?.kind, Number(hour) < Number(later?.default)]).toEqual([key, 'hour', true]);
  }
});
