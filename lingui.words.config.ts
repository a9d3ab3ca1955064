import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { textExtractor } from './scripts/text-extractor.ts';
import { translatedLanguages } from './src/kit/contract/languages.ts';

const form = 'src/features/admission-form';

// The texts of contracts and server that families read, for the languages besides English: those of the form's pages, which
// browsers load, and those that only the server says. All texts, in English, have lingui.text.config.ts.
export default defineConfig({
  sourceLocale: 'en',
  locales: translatedLanguages,
  catalogs: [
    {
      path: '<rootDir>/src/locales/words/form/{locale}',
      include: [
        `${form}/contract`,
        `${form}/pages`,
        `${form}/ui`,
        'src/features/student/contract/health-questions.ts',
        'src/kit/contract/{aadhaar,errors,field,fields,paging,shell-fields,uploads}.ts',
        'src/kit/browser/{data,form}',
      ],
      // States and their reasons are read by the office.
      exclude: [
        `${form}/contract/state.ts`,
        'src/**/*.{test,spec,gallery}.{ts,tsx}',
        'src/kit/browser/form/DateField.tsx',
      ],
    },
    {
      path: '<rootDir>/src/locales/words/family/{locale}',
      include: [
        'src/features/{announcement,family,homework}/contract/family.ts',
        'src/features/announcement/contract/priority.ts',
        'src/kit/contract/{errors,field,fields}.ts',
        'src/kit/browser/data/{action,call,get}.{ts,tsx}',
      ],
      exclude: [],
    },
    {
      path: '<rootDir>/src/locales/words/family-more/{locale}',
      include: [
        'src/features/attendance/contract/{family-leave,leave-words}.ts',
        'src/features/announcement/contract/family-ask.ts',
        'src/features/family/contract/own.ts',
        'src/features/{online-payment,year-end}/contract/family.ts',
      ],
      exclude: [],
    },
    {
      path: '<rootDir>/src/locales/words/server/{locale}',
      include: [
        `${form}/server/{additional-info,basic-info,correction,document,draft,education,form,health,inquiry,link-words,message,messages,parent-info,sibling-details,sibling,submit}.ts`,
        'src/features/admission/server/messages.ts',
        'src/features/admission/server/interaction/choose-time.ts',
        'src/features/announcement/server/{family-part,message}.ts',
        'src/features/attendance/server/{family-leave,tell-exit,tell-families,tell-leave}.ts',
        'src/features/meeting/contract/family-messages.ts',
        'src/features/meeting/server/{book,family,tell}.ts',
        'src/features/family/server/{by-number,contact,contact-messages,family,feed,messages,preference,proof}.ts',
        'src/features/fee-money/contract/fee-certificate.ts',
        'src/features/fee-money/server/{amount-in,bounce-message,cancel-message,due-message,family-part,fee-certificate,message-words,receipt-drafts,receipt-message,receipt-sheet,receipts,statement}.ts',
        'src/features/student/contract/certificate-titles.ts',
        'src/features/student/server/paper/{certificate-kinds,certificate-language,certificate-paper}.ts',
        'src/kit/server/paper/paper.ts',
        'src/features/homework/server/{digest,family-file,family-part,remind}.ts',
        'src/features/online-payment/server/family-part.ts',
        'src/features/transport/server/bus-words.ts',
        'src/features/year-end/server/{family-part,question-words,result-message}.ts',
        'src/app/page-words.ts',
        'src/kit/server/messages/outbox.ts',
        'src/kit/server/{files,http}',
      ],
      exclude: ['src/**/*.{test,spec}.ts'],
    },
  ],
  extractors: [textExtractor],
  format: formatter({ lineNumbers: false, origins: false }),
});
