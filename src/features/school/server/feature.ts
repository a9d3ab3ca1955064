import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { quietHours } from '#kit/server/messages/quiet-hours.ts';
import { schoolMasters } from '../contract/masters.ts';
import { schoolPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import languageRead from './language-read.ts';
import { languageSettings } from './languages.ts';
import numberSeries from './number-series.ts';
import profile from './profile.ts';
import facts from './school.ts';
import schoolWords from './school-words.ts';
import { schoolStep } from './set-up.ts';
import setting from './setting.ts';
import textMessages, { fillPatterns, textMessageWarnings } from './text-message.ts';

export const school = serverFeature({
  pages: schoolPages,
  routes: [...facts, ...profile, ...numberSeries, ...setting, ...textMessages, ...languageRead, ...schoolWords],
  masters: schoolMasters,
  settings: [...Object.values(quietHours), ...languageSettings],
  seed: () => import('../seed.ts'),
  corrections: [fillPatterns],
  findWarnings: textMessageWarnings,
  setUp: [schoolStep],
  auditArea: text`School`,
  auditWords,
});
