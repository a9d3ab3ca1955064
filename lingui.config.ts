import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { extractFromFileWithBabel } from '@lingui/cli/api/extractors/babel';
import { defineConfig, type ExtractorType } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { languageKeys } from './src/kit/contract/languages.ts';

// The parents' form has a catalogue, and so have the shell and each feature within it: a page carries
// the words of its own feature (scripts/feature-catalogues.ts).
// The texts of contracts and server have lingui.text.config.ts and lingui.words.config.ts.
const consentPages = 'src/features/admission-form/pages/{ConsentNotice,ConsentPage,WithdrawConsent}.tsx';
// The last page and what follows it, which are fetched long after the first view.
const endPages =
  'src/features/admission-form/pages/{CheckAnswers,CorrectionForm,CorrectionNotice,Documents,SiblingNotice,SubmitPage,SubmittedPage,use-submission}.tsx';

// The page of a guardian's link, with the parts of other features.
const familyPages =
  'src/features/{family/pages/{FamilyPage,Problem},family/ui/LaterBlock,*/ui/{FamilyPart,FamilyTop}}.tsx';
// What its buttons open, which is fetched then.
const familyMore =
  'src/features/{family/pages/ProveDialog,*/ui/{FamilyAsk,FamilyFeed,FamilyInstall,FamilyLeave,FamilyMeeting,FamilyOwn,FamilyPay,FamilyPayBlock,FamilyPhones,FamilyQuestion}}.tsx';

const languageSwitch = 'src/features/school/ui/LanguageSwitch.tsx';

const features = readdirSync(fileURLToPath(new URL('src/features', import.meta.url)));

/** Lingui's own, without the files that have no macro: they are three of four. */
const macroExtractor: ExtractorType = {
  match: (filename) => /\.tsx?$/.test(filename),
  async extract(filename, code, onFound, context) {
    if (!code.includes("'@lingui/") || !context) return;
    const plugins: ('typescript' | 'jsx')[] = filename.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'];
    await extractFromFileWithBabel(filename, code, onFound, context, { plugins });
  },
};

export default defineConfig({
  sourceLocale: 'en',
  // lingui.translated.config.ts says which of them have other languages too.
  locales: languageKeys,
  catalogs: [
    {
      path: '<rootDir>/src/locales/form/{locale}',
      include: ['src/features/admission-form', 'src/kit', languageSwitch, 'src/form.tsx', 'src/first-paint.tsx'],
      // Everything else is part of the shell's pages, or of the consent page, which few families are shown.
      exclude: [
        consentPages,
        endPages,
        'src/features/**/*.spec.ts',
        'src/kit/browser/{import,list,master,record,rich-text}/**',
        'src/kit/browser/data/{download,QueryBoundary}.tsx',
        'src/kit/browser/form/{DateField,FormDialog,LeaveGuard,MonthsField,PaletteField}.tsx',
        'src/kit/browser/ui/{AskDialog,Chart,Combobox,ConfirmProvider,DateInput,HistoryButton,HistoryDialog}.tsx',
        'src/kit/browser/ui/{LoadedCombobox,ScrollFrame,ShortcutList,SideDialog}.tsx',
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
      include: [familyPages, languageSwitch],
    },
    {
      path: '<rootDir>/src/locales/family-more/{locale}',
      include: [familyMore, 'src/kit/browser/data/download.tsx'],
    },
    {
      path: '<rootDir>/src/locales/shell/{locale}',
      include: ['src'],
      exclude: ['src/locales/**', 'src/features/**', 'src/{form,family,first-paint}.tsx'],
    },
    ...features.map((feature) => ({
      path: `<rootDir>/src/locales/feature/${feature}/{locale}`,
      include: [`src/features/${feature}`],
      exclude: [
        'src/features/admission-form/pages/**',
        familyPages,
        familyMore,
        languageSwitch,
        'src/features/**/*.spec.ts',
      ],
    })),
  ],
  extractors: [macroExtractor],
  format: formatter({ lineNumbers: false }),
});
