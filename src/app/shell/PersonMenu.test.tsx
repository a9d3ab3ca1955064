import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Me } from '#features/sign-in/contract/sign-in.ts';
import { noteUnsent } from '#kit/browser/form/unsent.ts';
import { chooseColours } from '#kit/browser/ui/colours.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { PersonMenu } from './PersonMenu.tsx';

const me: Me = {
  userID: 3,
  role: 'Staff',
  name: 'Asha Patel',
  picture: '',
  sets: [],
  userName: '',
  email: '',
  mobile: '',
};

afterEach(() => chooseColours('device'));

test('a person chooses light or dark colours, or those of the device, and the choice stays on the device', async () => {
  fakeServer({});
  renderPage(<PersonMenu me={me} />);
  fireEvent.click(await screen.findByRole('button', { name: /Asha Patel/ }));
  const choose = async (name: string) => {
    const item = await screen.findByRole('menuitemradio', { name });
    fireEvent.click(item);
    await waitFor(() => expect(item.getAttribute('aria-checked')).toBe('true'));
  };
  const { dataset } = document.documentElement;
  await choose('Dark');
  expect([dataset.colours, document.cookie]).toEqual(['dark', 'colours=dark']);
  await choose('Light');
  expect([dataset.colours, document.cookie]).toEqual(['light', 'colours=light']);
  expect(screen.getAllByRole('menuitemradio', { checked: true })).toHaveLength(1);
  await choose('Same as the device');
  expect([dataset.colours, document.cookie]).toEqual([undefined, '']);
});

test('E1.17 signing out asks first while this device keeps a register that is not submitted', async () => {
  const { sent } = fakeServer({});
  noteUnsent('register 5', true);
  renderPage(<PersonMenu me={me} />);
  const signOut = async () => {
    fireEvent.click(await screen.findByRole('button', { name: /Asha Patel/ }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  };
  await signOut();
  const dialog = await screen.findByRole('dialog', { name: 'Sign out with a register that is not submitted?' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(sent).toEqual([]);
  noteUnsent('register 5', false);
});

test.each(['Staff', 'Admin'] as const)('SY7 the menu of a person signed in as %s leads to Help', async (role) => {
  fakeServer({});
  renderPage(<PersonMenu me={{ ...me, role }} />);
  fireEvent.click(await screen.findByRole('button', { name: /Asha Patel/ }));
  const item = await screen.findByRole('menuitem', { name: 'Help' });
  expect(item.getAttribute('href')).toBe('/school-erp/help');
});
