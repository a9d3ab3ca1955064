import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

// English only so far. The parents' form and the shell have a catalogue each, so that neither carries the other's words.
// The texts of contracts and server have lingui.text.config.ts.
const consentPages = 'src/features/admission-form/pages/{ConsentNotice,ConsentPage,WithdrawConsent}.tsx';
// The last page and what follows it, which are fetched long after the first view.
const endPages =
  'src/features/admission-form/pages/{CheckAnswers,CorrectionForm,CorrectionNotice,Documents,SiblingNotice,SubmitPage,SubmittedPage,use-submission}.tsx';

// The page of a guardian's link, with the parts of other features.
const familyPages = 'src/features/{family/pages/{Dues,FamilyPage,Month,Problem},*/ui/{FamilyPart,FamilyTop}}.tsx';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [
    {
      path: '<rootDir>/src/locales/form/{locale}',
      include: ['src/features/admission-form', 'src/kit', 'src/form.tsx', 'src/first-paint.tsx'],
      // Everything else is part of the shell's pages, or of the consent page, which few families are shown.
      exclude: [
        consentPages,
        endPages,
        'src/features/**/*.spec.ts',
        'src/kit/browser/{import,list,master,record}/**',
        'src/kit/browser/data/{download,QueryBoundary}.tsx',
        'src/kit/browser/form/{DateField,FormDialog,LeaveGuard,PaletteField}.tsx',
        'src/kit/browser/ui/{AskDialog,Combobox,ConfirmProvider,DateInput,HistoryButton,HistoryDialog}.tsx',
        'src/kit/browser/ui/{FileViewer,ScrollFrame,ShortcutList,SideDialog}.tsx',
      ],
    },
    {
      path: '<rootDir>/src/locales/consent/{locale}',
      include: [consentPages],
    },
    {
      path: '<rootDir>/src/locales/end/{locale}',
      include: [endPages],
    },
    {
      path: '<rootDir>/src/locales/family/{locale}',
      include: [familyPages],
    },
    {
      path: '<rootDir>/src/locales/shell/{locale}',
      include: ['src'],
      exclude: ['src/locales/**', 'src/features/admission-form/pages/**', familyPages, 'src/features/**/*.spec.ts'],
    },
  ],
  format: formatter({ lineNumbers: false }),
});
