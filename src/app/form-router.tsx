import type { FormPath, formSearch } from '#features/admission-form/contract/pages.ts';
import { createFormRouter } from '#features/admission-form/pages/form-router.ts';

export const formRouter = createFormRouter();

declare module '#kit/browser/ui/PageLink.tsx' {
  interface LinkedPages {
    form: { [Path in FormPath]: { path: Path; search: typeof formSearch } }[FormPath];
  }
}
