// Vitest runs this before each file of component tests, which share loaded modules: what a page keeps outside its
// components ends with each test.
import { cleanup, configure as configureTests } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { configure } from '#features/school/ui/configuration.ts';
import { queryClient } from '#kit/browser/data/read.ts';
import { activateCatalogue } from '#kit/browser/text.ts';
import { comboboxPart } from '#kit/browser/ui/Combobox.tsx';
import { mantineSettings } from '#kit/browser/ui/mantine.tsx';
import { mantineParts } from '#kit/browser/ui/use-mantine.ts';

// Without a layout, Mantine would hide what it opens as scrolled away. Its parts are here, as on a page that stands.
mantineSettings.env = 'test';
await Promise.all([mantineParts.load(), comboboxPart.load()]);

// Whether an element is hidden takes the styles of all its parents at each query; files with closed dialogs set it to false.
configureTests({ defaultHidden: true, asyncUtilTimeout: 10_000 });

beforeEach(() => {
  // English words are their own keys, so the tests need no catalogue.
  activateCatalogue('en', {});
  configure({ schoolName: 'Test School', schoolPhone: '0261 222 1100', schoolEmail: 'office@test-school.example' });
});

afterEach(() => {
  cleanup();
  queryClient.clear();
  localStorage.clear();
  sessionStorage.clear();
  (window as unknown as { happyDOM: { setURL: (url: string) => void } }).happyDOM.setURL('http://localhost:3000/');
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
