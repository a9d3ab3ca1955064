import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { LanguagesTab } from './LanguagesTab.tsx';

const row = { language: 'gu', area: 'form', texts: 620, changed: 0, readBy: null, readOn: '', seen: 'a1' };
const read = { ...row, language: 'hi', area: 'family', texts: 90, changed: 2, readBy: 'Asha', readOn: '2026-11-30' };

test('an Admin reads the texts of a page beside the English and marks all as read', async () => {
  const { sent } = fakeServer({
    'GET /api/academic/language': { rows: [row, read], families: [{ language: 'gu', count: 12 }] },
    'GET /api/academic/language/text': {
      rows: [{ english: 'First name', translation: 'નામ', isNew: true }],
      total: 1,
    },
    'GET /api/academic/language/school-words': { rows: [] },
    'PUT /api/academic/language': {},
  });
  renderPage(<LanguagesTab />);
  const table = await screen.findByRole('table', { name: 'Languages' });
  expect(table.textContent).toContain('2 texts changed since');
  expect(screen.getByText(/12 guardians/)).toBeTruthy();
  fireEvent.click(within(table).getByRole('button', { name: 'ગુજરાતી, Admission form and consent' }));
  const panel = await screen.findByRole('dialog', { name: 'ગુજરાતી, Admission form and consent' });
  expect((await within(panel).findByText('નામ')).lang).toBe('gu');
  fireEvent.click(within(panel).getByRole('button', { name: 'Mark all as read' }));
  await vi.waitFor(() =>
    expect(sent.find(({ method }) => method === 'PUT')?.fields).toEqual({
      ...{ language: 'gu', area: 'form', seen: 'a1', isRead: true },
    }),
  );
});

test('an Admin enters the emergency statement in a language beside the English', async () => {
  const english = { hours: '9 to 4', hospitalText: 'The school calls a doctor.' };
  const missing = {
    language: 'hi',
    english,
    hours: '',
    hospitalText: '',
    isMissing: true,
    isOld: false,
    rowVersion: 0,
  };
  const { sent } = fakeServer({
    'GET /api/academic/language': { rows: [], families: [] },
    'GET /api/academic/language/school-words': { rows: [missing] },
    'PUT /api/academic/language/school-words': {},
  });
  renderPage(<LanguagesTab />);
  const table = await screen.findByRole('table', { name: 'Texts of the school' });
  expect(table.textContent).toContain('English, where nothing is entered');
  fireEvent.click(within(table).getByRole('button', { name: 'हिन्दी, texts of the school' }));
  const panel = await screen.findByRole('dialog', { name: 'हिन्दी, texts of the school' });
  const statement = within(panel).getByLabelText(/^Emergency treatment statement/);
  expect(within(panel).getByText(english.hospitalText)).toBeTruthy();
  fireEvent.change(statement, { target: { value: 'डॉक्टर को बुलाते हैं।' } });
  fireEvent.click(within(panel).getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(sent.find(({ method }) => method === 'PUT')?.fields).toEqual({
      ...{ language: 'hi', hours: '', hospitalText: 'डॉक्टर को बुलाते हैं।', rowVersion: '0' },
    }),
  );
});
