import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { GradeSubjects } from './GradeSubjects.tsx';

test('the subjects of each grade begin with the program that has most of them', async () => {
  fakeServer({
    'GET /api/academic/year-list': [{ id: 1, name: '2026-27', phase: 'Current', isCurrent: true }],
    'GET /api/configuration/grade-subject/program': [2],
    'GET /api/academic/program/option': [
      { id: 1, name: 'CBSE, Day boarding', isActive: true },
      { id: 2, name: 'CBSE, Regular', isActive: true },
    ],
    'GET /api/configuration/grade-subject': {
      grades: [{ id: 1, name: 'Grade 1' }],
      subjects: [{ id: 1, name: 'Art' }],
      groups: [],
      cells: [],
      isClosed: false,
    },
  });
  renderPage(<GradeSubjects />);
  expect((await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Program' })).value).toBe('2');
});
