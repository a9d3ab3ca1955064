import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { AddStudent } from './AddStudent.tsx';

test('the box of the section is there before its sections arrive, and keeps the focus of a clerk who types on', async () => {
  const arrival = Promise.withResolvers<object[]>();
  const option = (id: number, name: string) => ({ id, name, isActive: true });
  fakeServer({
    'GET /api/academic/grade/option': [option(3, 'Grade 3')],
    'GET /api/academic/branch/option': [option(1, 'Main')],
    'GET /api/academic/program/option': [option(1, 'General')],
    'GET /api/student/relation': [],
    'GET /api/student/seat': () => arrival.promise,
  });
  renderPage(<AddStudent onClose={() => undefined} />);
  await screen.findByRole('option', { name: 'Grade 3' });
  fireEvent.change(screen.getByRole('combobox', { name: 'Grade' }), { target: { value: '3' } });
  const box = await screen.findByRole<HTMLSelectElement>('combobox', { name: /^Section/ });
  expect(screen.queryByRole('combobox', { name: /^Branch/ })).toBeNull();
  box.focus();
  arrival.resolve([{ id: 7, name: 'Grade 3, A', branch: 'Main', strength: 3, capacity: 40 }]);
  await waitFor(() => expect(box.value).toBe('7'));
  expect(document.activeElement).toBe(box);
  fireEvent.change(box, { target: { value: '' } });
  expect(await screen.findByRole('combobox', { name: /^Branch/ })).toBeTruthy();
});

test('a clerk who has left the known number finds the focus on the choice of its adult, not outside the form', async () => {
  const arrival = Promise.withResolvers<object[]>();
  fakeServer({
    'GET /api/academic/grade/option': [],
    'GET /api/student/relation': [{ id: 4, name: 'Mother', isActive: true }],
    'GET /api/student/known-guardian': () => arrival.promise,
  });
  renderPage(<AddStudent onClose={() => undefined} />);
  const mobile = await screen.findByRole('textbox', { name: /^Mobile number of the guardian/ });
  fireEvent.change(mobile, { target: { value: '9876543210' } });
  (await screen.findByRole('combobox', { name: /^Relation/ })).focus();
  arrival.resolve([
    { id: 9, name: 'Meera Shah', relation: 'Mother', children: ['Riya Shah (Grade 3, B)'], others: 0, family: null },
  ]);
  const known = await screen.findByRole('radio', { name: /Meera Shah/ });
  await waitFor(() => expect(document.activeElement).toBe(known));
});
