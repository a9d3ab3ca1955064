import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { configure, useConfiguration } from '../ui/configuration.ts';
import { SchoolTab } from './SchoolTab.tsx';

const profile = {
  name: 'Sunrise School',
  trustName: '',
  udiseCode: '',
  affiliationNo: '',
  address: '',
  city: 'Surat',
  phone: '0261 2345678',
  email: 'office@sunrise.example',
  website: '',
  principal: '',
  hours: '9 to 4',
  nameLocal: '',
  addressLocal: '',
  hospitalText: 'The school calls the parents.',
  colour: 'Teal',
  financialYearMonth: 4,
  rowVersion: 2,
};

test('the colour of the school is chosen among swatches with names, and saved with the profile', async () => {
  const { sent } = fakeServer({
    'GET /api/academic/school': profile,
    'GET /api/academic/school/paper': { hasSignature: false },
    'PUT /api/academic/school': { rowVersion: 3 },
  });
  renderPage(<SchoolTab />);
  const colours = await screen.findByRole('group', { name: 'Colour of the school' });
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Teal' }).checked).toBe(true);
  expect(colours.querySelectorAll('[type=radio]')).toHaveLength(10);
  fireEvent.click(screen.getByRole('radio', { name: 'Purple' }));
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  const saves = () => sent.filter(({ method }) => method === 'PUT').map(({ fields }) => fields.colour);
  await waitFor(() => expect(saves()).toEqual(['Purple']));
});

const Name = () => <output>{useConfiguration().schoolName}</output>;

test('a new name of the school stands at once where pages show it', async () => {
  fakeServer({
    'GET /api/academic/school': profile,
    'GET /api/academic/school/paper': { hasSignature: false },
    'PUT /api/academic/school': { rowVersion: 3 },
    'GET /api/app-configuration': { schoolName: 'Sunrise Vidyalaya' },
  });
  configure({ schoolName: 'Sunrise School' });
  renderPage(
    <>
      <Name />
      <SchoolTab />
    </>,
  );
  fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), {
    target: { value: 'Sunrise Vidyalaya' },
  });
  expect(screen.getAllByRole('status')[0]?.textContent).toBe('Sunrise School');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getAllByRole('status')[0]?.textContent).toBe('Sunrise Vidyalaya'));
});
