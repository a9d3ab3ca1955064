import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { colours } from '#kit/contract/palette.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
const [palette, light, dark] = [read('palette.module.css'), read('theme.css'), read('dark.css')];

type Colour = [number, number, number];

function readColour(css: string, name: string): Colour {
  const [, digits = ''] = new RegExp(`${name}: #([0-9a-f]{3,6});`).exec(css) ?? [];
  const whole = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return [0, 2, 4].map((at) => Number.parseInt(whole.slice(at, at + 2), 16)) as Colour;
}

/** `color-mix(in srgb, first share, second)`. */
const mix = (first: Colour, share: number, second: Colour) =>
  first.map((value, at) => value * share + (second[at] ?? 0) * (1 - share)) as Colour;

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of WCAG 2.2, from 1 to 21. */
function contrast(first: Colour, second: Colour): number {
  const [more = 0, less = 0] = [luminance(first), luminance(second)].sort((left, right) => right - left);
  return (more + 0.05) / (less + 0.05);
}

const white: Colour = [255, 255, 255];

const words = ['--ink', '--soft', '--accent', '--accent-deep', '--bad', '--ok', '--warn', '--info'];
const grounds = ['--paper', '--ground', ...['accent', 'bad', 'ok', 'warn', 'info'].map((tone) => `--${tone}-wash`)];
/** Words on a ground that only they have. */
const pairs = [
  ['--on-accent', '--accent'],
  ['--on-accent', '--accent-deep'],
  ['--paper', '--accent-deep'],
  ['--paper', '--bad'],
  ['--paper', '--ink'],
  ['--ink', '--line'],
  ['--soft', '--line'],
] as const;

describe.each([
  ['light', light],
  ['dark', dark],
])('in %s colours', (_, theme) => {
  const colourOf = (name: string) => readColour(theme, name);
  // As theme.css makes it: a row under the pointer.
  const hover = mix(colourOf('--ink'), 0.04, colourOf('--paper'));

  test('every colour of words can be read on every ground', () => {
    const all = words.flatMap((word) => [
      ...grounds.map((ground) => [`${word} on ${ground}`, contrast(colourOf(word), colourOf(ground))] as const),
      [`${word} on --hover`, contrast(colourOf(word), hover)] as const,
    ]);
    const own = pairs.map(
      ([word, ground]) => [`${word} on ${ground}`, contrast(colourOf(word), colourOf(ground))] as const,
    );
    const toast = ['white on --toast', contrast(white, colourOf('--toast'))] as const;
    expect([...all, ...own, toast].filter(([, value]) => value < 4.5)).toEqual([]);
  });

  test('the edge of a control can be seen on every ground', () => {
    const seen = grounds.map((ground) => [ground, contrast(colourOf('--edge'), colourOf(ground))] as const);
    expect(seen.filter(([, value]) => value < 3)).toEqual([]);
  });
});

test('words take their colours from the theme, apart from these few', () => {
  const root = join(import.meta.dirname, '../../..');
  const used = globSync('**/*.css', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/[\s;{]color: ([^;]*);/g)].map(([, value = '']) => value),
  );
  const measured = new Set(['inherit', 'var(--on-accent)', 'var(--paper)', ...words.map((word) => `var(${word})`)]);
  // On paper, on a toast, on the school's colour, of icons and lines, and of marks, which attendance.spec.ts shows in light.
  expect([...new Set(used)].filter((value) => !measured.has(value)).sort()).toEqual([
    '#000',
    '#bfe3e1',
    '#fff',
    'color-mix(in srgb, var(--colour) var(--initials-letters), var(--ink))',
    'var(--button-ink, var(--accent-deep))',
    'var(--colour)',
    'var(--edge)',
    'var(--line)',
    'var(--mark, var(--soft))',
    'var(--on-mark, inherit)',
    'var(--on-mark, var(--ink))',
  ]);
});

// As features/sign-in/pages/Alone.module.css makes them of the school's colour.
describe.each([
  ['light', light],
  ['dark', dark],
])('in %s colours', (_, theme) => {
  const share = Number(/--colour-share: (\d+)%/.exec(theme)?.[1]) / 100;
  const [paper, ink, onAccent] = ['--paper', '--ink', '--on-accent'].map((name) => readColour(theme, name)) as [
    Colour,
    Colour,
    Colour,
  ];

  test.each(colours)('%s can be read as the colour of the school', (name) => {
    const colour = readColour(palette.slice(palette.indexOf(`.${name} `)), '--colour');
    const accent = mix(colour, share, white);
    const deep = mix(accent, 0.78, ink);
    expect({
      'white on it': contrast(white, colour) >= 4.5,
      'words of a main button': contrast(onAccent, accent) >= 4.5,
      'links on paper': contrast(deep, paper) >= 4.5,
      'words on a washed row': contrast(ink, mix(accent, 0.12, paper)) >= 4.5,
      'edges on paper': contrast(accent, paper) >= 3,
    }).toEqual({
      'white on it': true,
      'words of a main button': true,
      'links on paper': true,
      'words on a washed row': true,
      'edges on paper': true,
    });
  });
});

test('ticks, radios and progress bars have the accent everywhere, and no sheet sets their colour by itself', () => {
  expect(light).toContain('accent-color: var(--accent);');
  const source = join(import.meta.dirname, '../../..');
  const others = globSync('**/*.css', { cwd: source }).filter(
    (file) => !file.endsWith('ui/theme.css') && readFileSync(join(source, file), 'utf8').includes('accent-color'),
  );
  expect(others).toEqual([]);
});
