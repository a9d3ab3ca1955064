import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { Plural, Trans } from '@lingui/react/macro';
import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { activateCatalogue } from '#kit/browser/text.ts';
import { translateDocument } from '#testing/translator.tsx';

activateCatalogue('en', {});
let end = () => {};
afterEach(() => {
  end();
  cleanup();
});

const drawn = (node: ReactNode) => <I18nProvider i18n={i18n}>{node}</I18nProvider>;
// Not of the whole body: tests of the same worker may leave a node there.
const seen = (container: HTMLElement) => container.textContent?.replaceAll('◊', '');
const Icon = () => <i />;
const Label = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <b>
    {icon}
    {children}
  </b>
);

/** Each part of a page in several states, between which React changes, adds and removes texts. */
const parts: Record<string, ReactNode[]> = {
  'a text beside a value': [<p key="p">Saved {1}</p>, <p key="p">Saved {2}</p>],
  'a text that comes and goes': [
    <p key="p">
      <i />
      {'Saved'}
    </p>,
    <p key="p">
      <i />
      {false}
    </p>,
    <p key="p">
      <i />
      {'Not saved'}
    </p>,
  ],
  'an element before a text': [
    <p key="p">
      {false}
      Saved
    </p>,
    <p key="p">
      <Icon />
      Saved
    </p>,
  ],
  'a translated text among others': [
    <p key="p">
      <Icon />
      <Trans>Saved</Trans>
    </p>,
    <p key="p">
      <Icon />
      <Trans>Not saved</Trans>
    </p>,
    <p key="p">
      <Icon />
    </p>,
  ],
  'a translated text alone': [
    <Trans key="p">Saved at {'10:00'}</Trans>,
    <Trans key="p">Saved at {'10:01'}</Trans>,
    null,
  ],
  'a translated text with elements': [
    <p key="p">
      <Trans>
        Saved <b>once</b> at {'10:00'}
      </Trans>
    </p>,
    <p key="p">
      <Trans>
        Saved <b>twice</b> at {'10:01'}
      </Trans>
    </p>,
  ],
  'a number of things': [1, 2].map((value) => (
    <p key="p">
      <Plural value={value} one="# day" other="# days" /> <i />
    </p>
  )),
  'texts of a component': [
    <Label key="p" icon={null}>
      Saved
    </Label>,
    <Label key="p" icon={<i />}>
      Saved
    </Label>,
    <Label key="p" icon={<i />}>
      Not saved
    </Label>,
  ],
  'a text in a fragment': [
    <p key="p">
      <>Saved</>
      <i />
    </p>,
    <p key="p">
      <i />
    </p>,
  ],
};

test.each(Object.entries(parts))('%s changes while the browser translates the page', async (_name, states) => {
  const plain = states.map((state) => {
    const { container, unmount } = render(drawn(state));
    const words = container.textContent;
    unmount();
    return words;
  });
  const { rerender, container } = render(drawn(states[0]));
  end = translateDocument();
  expect(document.body.textContent).toContain('◊');
  for (const order of [[...states.keys()], [...states.keys()].reverse()].flat()) {
    rerender(drawn(states[order]));
    await new Promise((resolve) => setTimeout(resolve));
    expect(seen(container)).toBe(plain[order]);
  }
});

test('a text without siblings has no element of its own', () => {
  const { container } = render(<p>Saved {2} times</p>);
  expect(container.innerHTML).toBe('<p>Saved 2 times</p>');
});
