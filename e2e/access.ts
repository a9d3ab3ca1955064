import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { address } from '../database/seed/answers.ts';
import { healthQuestions } from '../src/features/student/contract/health-questions.ts';
import { attach, choose, enter, expect, fill, nothingKnown, padded, picture, summary, type test } from './school.ts';

type School = Parameters<Parameters<typeof test>[2]>[0]['school'];

/**
 * The states in which every page of the form is checked: `errors` with all questions open, empty boxes and messages;
 * `filled` with stored and locked answers.
 */
type State = 'filled' | 'revealed' | 'errors';

export const paths = ['/admission', '/admission1', '/admission2', '/admission3', '/admission4'] as const;
type Path = (typeof paths)[number];

/** The pages around the form, each with its expected text; some need a family's link. */
export const otherPages: Record<string, (page: Page, school: School) => Promise<void>> = {
  'the page without consent': async (page, school) => {
    await page.goto((await school.family({ state: 'consent needed' })).at('/admission'));
    await page.getByRole('button', { name: 'I do not agree' }).click();
    await expect(page.getByRole('heading', { name: 'You can apply on paper' })).toBeVisible();
  },
  'the page of a link that opens nothing, answered': async (page) => {
    await page.goto('/admission');
    // A contact gets a new link at most three times an hour.
    await enter(page, { contact: `${randomUUID()}@family.example` });
    await newLink(page).click();
    await expect(page.getByRole('main').getByRole('status')).toBeVisible();
  },
};
const newLink = (page: Page) => page.getByRole('button', { name: 'Get a new link' });

/** Opens what a page shows only after an answer: further questions, warnings, counters, offers, a chosen file. */
const reveal: Record<Path, (page: Page) => Promise<void>> = {
  '/admission': async (page) => {
    await enter(page, { emergencyMobileNo: '1234567890', schoolDISECode: '12', birthDate: '2021-01-31' });
    await enter(page, { currentPinCode: '380001', sameAsPresentAddress: true });
    await attach(page, 'admissionStudentImageIFormFile', {
      name: 'large.png',
      buffer: padded(picture.buffer, 3_000_000),
    });
    await page.getByText('Your consent', { exact: true }).click();
  },
  '/admission1': async (page) => {
    await enter(page, { fatherOccupation: 'Homemaker', motherCanVisitWorkplace: 'true', parentWorkingatFS: 'true' });
    await enter(page, { isParentDivorced: 'true', isChildAdopted: 'true', isParentLocalGuardian: 'false' });
    await enter(page, { guardianPinCode: address.PinCode, guardianMobileNo: '12' });
    await attach(page, 'FamilyImageIFormFile');
  },
  '/admission2': async (page) => {
    for (const { name } of healthQuestions) await choose(page, name, 'true');
    await fill(page, 'childPersonalityAndHomeRoutine', 'x'.repeat(1001));
    await attach(page, 'VaccinationFileIFormFile');
  },
  '/admission3': async (page) => {
    await enter(page, { emergencyContact1MobileNo: '1234567890', emergencyContact2MobileNo: '12' });
    await enter(page, { reasonsForAdmission: 'x'.repeat(900), parentingBeliefAndPhilosophy: 'x'.repeat(1001) });
  },
  '/admission4': async (page) => {
    await enter(page, { documentName: 'Other', isChildHaveReplacedLang: 'true' });
    await attach(page, 'DocumentIFormFile');
  },
};

const wayOn = (page: Page) => page.getByRole('button', { name: /^(Save and Next|Submit Form)$/ });

/** A family's page of the form in one of its states. */
export async function openIn(page: Page, school: School, path: Path, state: State) {
  const filled = path === '/admission4' ? 'ready to submit' : 'half filled';
  const family = await school.family(state === 'filled' ? { state: filled } : { inquiry: nothingKnown });
  await page.goto(family.at(path));
  await expect(wayOn(page)).toBeVisible();
  if (state !== 'filled') await reveal[path](page);
  if (state === 'errors') await refuse(page);
}

/** Submits the page with mistakes, so that it lists its problems. */
export async function refuse(page: Page) {
  await wayOn(page).click();
  await expect(summary(page)).toBeFocused();
}

// Radios, tick boxes and file inputs show their focus ring around the label. Two marker elements keep Tab within the
// page, since past its ends the focus moves to the browser's own buttons.
const watchFocus = `
  window.walk = { stops: [], problems: [], isOver: false };
  for (const [name, put] of [['first', 'prepend'], ['last', 'append']]) {
    if (document.getElementById('walk-' + name)) continue;
    const mark = Object.assign(document.createElement('span'), { id: 'walk-' + name, tabIndex: 0 });
    mark.onkeydown = ({ shiftKey }) => shiftKey !== (name === 'first'); // False suppresses the key.
    document.body[put](mark);
  }
  window.lookAtFocus = (key) => {
    const focused = document.activeElement;
    const { stops, problems } = window.walk;
    window.walk.isOver ||= focused.id === (key === 'Tab' ? 'walk-last' : 'walk-first');
    if (window.walk.isOver) return;
    if (stops.includes(focused)) problems.push(key + ' comes twice to ' + (focused.id || focused.textContent).trim().slice(0, 40));
    stops.push(focused);
    const { width } = focused.getBoundingClientRect();
    const shown = (width < 24 && (focused.labels?.[0] ?? focused.closest('label'))) || focused;
    const name = (focused.id || focused.textContent).trim().slice(0, 40);
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) problems.push(name + ' has no ring');
    for (const { left, right, top, bottom } of shown.getClientRects()) {
      // Slightly inside the box, away from rounded corners.
      const points = [left + 4, (left + right) / 2, right - 4].flatMap((x) => [top + 4, (top + bottom) / 2, bottom - 4].map((y) => [x, y]));
      for (const [x, y] of points) {
        const above = document.elementFromPoint(x, y);
        if (above && (shown.contains(above) || above.contains(shown))) continue;
        const where = above ? 'below ' + (above.className || above.textContent.slice(0, 40)) : 'out of sight';
        problems.push(key + ' to ' + name + ': ' + where + ' at ' + Math.round(x) + ' ' + Math.round(y));
        break;
      }
    }
  };
  window.onkeyup ??= ({ key, shiftKey }) => key === 'Tab' && window.lookAtFocus(shiftKey ? 'Shift+Tab' : 'Tab');`;

/** Walks with a key from one end of the page to the other; returns the number of stops. */
async function walkOn(page: Page, key: 'Tab' | 'Shift+Tab') {
  await page.evaluate(watchFocus);
  await page.locator(key === 'Tab' ? '#walk-first' : '#walk-last').focus();
  for (let steps = 0; steps < 200 && !(await page.evaluate<boolean>('window.walk.isOver')); steps += 8)
    for (let step = 0; step < 8; step++) await page.keyboard.press(key);
  const { stops, problems, isOver } = await page.evaluate<Walk>(
    `({ ...window.walk, stops: window.walk.stops.map((stop) => (stop.id || stop.textContent).trim().slice(0, 40)) })`,
  );
  expect(isOver, `${key} comes to the end of the page, by way of ${stops.join(', ')}`).toBe(true);
  expect(problems, `with ${key} in ${JSON.stringify(page.viewportSize())}`).toEqual([]);
  return stops;
}

interface Walk {
  stops: string[];
  problems: string[];
  isOver: boolean;
}

/** Walks with Tab through the page and back: every focused element has a ring and is fully visible. */
export async function expectFocusSeen(page: Page) {
  await expect(page.locator('[aria-live] > *')).toHaveCount(0);
  const forward = await walkOn(page, 'Tab');
  const back = await walkOn(page, 'Shift+Tab');
  expect(back.length, `back by way of ${back.join(', ')}`).toBe(forward.length);
  await page.evaluate(`for (const mark of document.querySelectorAll('#walk-first, #walk-last')) mark.remove()`);
  return forward.length;
}

// Smooth scrolling, and elements that the page adds later: the rule is set on every element before the check.
const motion = `(() => {
  const sheet = document.styleSheets[0];
  sheet.insertRule('*, ::before, ::after, ::backdrop { transition: opacity 1s; animation: 1s moving; scroll-behavior: smooth }', sheet.cssRules.length);
  const found = new Set();
  for (const element of document.querySelectorAll('*')) {
    for (const part of ['', '::before', '::after', '::backdrop']) {
      const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(element, part || null);
      const seconds = [animationName === 'none' ? '0s' : animationDuration, transitionDuration].join().split(',').map(parseFloat);
      if (Math.max(...seconds) > 0.01 || scrollBehavior === 'smooth') found.add(element.tagName + part);
    }
  }
  return [...found];
})()`;

/** Everything that would animate for longer than 0.01 s if every element were told to animate. */
export const findMotion = (page: Page) => page.evaluate<string[]>(motion);

// A border or a ring counts when it is drawn in another colour than the background.
const drawn = `
  const ground = getComputedStyle(document.body).backgroundColor;
  const isDrawn = (style, width, colour) => style !== 'none' && parseFloat(width) >= 1 && colour !== ground && colour !== 'rgba(0, 0, 0, 0)';
  const hasBorder = (element) => {
    const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(element);
    return isDrawn(borderTopStyle, borderTopWidth, borderTopColor);
  };`;

const withoutBorder = `(() => { ${drawn}
  const pressed = document.querySelectorAll('button, input:not([type=radio], [type=checkbox], [type=file]), select, textarea, dialog[open], label:has(input), label[for]:has(svg)');
  return [...pressed].filter((element) => element.checkVisibility() && !hasBorder(element)).map((element) => element.outerHTML.slice(0, 120));
})()`;

/** Boxes, rows, buttons and dialogs without a visible edge. */
export const findWithoutBorder = (page: Page) => page.evaluate<string[]>(withoutBorder);

const wronglyMarked = `(() => { ${drawn}
  const said = [...document.querySelectorAll('[name]:not(meta)')].map((control) => control.closest('[aria-describedby]'));
  const questions = new Set(said.flatMap((element) => {
    const ids = element?.getAttribute('aria-describedby').split(' ') ?? [];
    const error = ids.map((id) => document.getElementById(id)).find((text) => text?.textContent.startsWith('Error: '));
    return error ? [error.parentElement] : [];
  }));
  const unmarked = [...questions].filter((question) => {
    const bar = getComputedStyle(question, '::before');
    const isWhole = parseFloat(bar.height) >= question.getBoundingClientRect().height - 8 && parseFloat(bar.top) <= 4;
    return !(isWhole && parseFloat(bar.borderLeftWidth) >= 4 && isDrawn(bar.borderLeftStyle, bar.borderLeftWidth, bar.borderLeftColor));
  });
  return { count: questions.size, unmarked: unmarked.map((question) => question.textContent.slice(0, 60)) };
})()`;

/** Every question with an error has a bar along its whole height, also one with several answers. */
export async function expectMarkedWhole(page: Page) {
  const { count, unmarked } = await page.evaluate<{ count: number; unmarked: string[] }>(wronglyMarked);
  expect(count).toBeGreaterThan(1);
  expect(unmarked).toEqual([]);
}

/** The width of the edge of the row around a radio, and whether its dot is the system's own. */
export const edgeOf = (page: Page, name: string, value: string) =>
  page.evaluate<{ width: number; dot: string }>(`(() => {
    const radio = document.querySelector('[name="${name}"][value="${value}"]');
    return { width: parseFloat(getComputedStyle(radio.closest('label')).borderTopWidth), dot: getComputedStyle(radio).appearance };
  })()`);
