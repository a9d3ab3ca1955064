import type { Examples } from '#testing/examples.ts';

export const examples: Examples = {
  exports: { 'GET /audit/export': async () => ({ url: '/audit/export?action=academic-section.created' }) },
};
