import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { Profile } from '../contract/staff.ts';
import { ProfilePage } from './ProfilePage.tsx';

const profile: Profile = {
  userID: 3,
  name: 'Asha Trivedi',
  picture: '',
  email: 'asha@school.example',
  isOwn: true,
  isEditable: true,
  account: {
    mobile: '',
    userName: 'admin',
    roles: ['Admin'],
    sets: [],
    hasPassword: false,
    needsPassword: false,
  },
};
const open = (over: Partial<Profile>) => {
  fakeServer({ 'GET /api/staff/:userID/profile': { ...profile, ...over }, 'GET /api/sign-in/session': [] });
  renderPage(<ProfilePage />);
};

test('an Admin comes from a profile to the account in the list, where they can edit it', async () => {
  open({});
  const link = await screen.findByRole('link', { name: 'Edit username, role and permissions' });
  expect(link.getAttribute('href')).toBe('/school-erp/sign-in/account?search=admin');
  expect(screen.queryByText(/ask an Admin/)).toBeNull();
});

test('others are told whom to ask', async () => {
  open({ isEditable: false });
  expect(await screen.findByText('To correct these details, ask an Admin.')).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});
