import '#kit/browser/jsx/changed-text.ts';
import { createRoot } from 'react-dom/client';
import '#kit/browser/ui/theme.css';
import { FamilyPage } from '#features/family/pages/FamilyPage.tsx';
import { keepAskedLanguage } from '#features/family/pages/reader-language.ts';
import { listenForInstall } from '#features/family/ui/install.ts';
import { completeConfiguration, configuration } from '#features/school/ui/configuration.ts';
import { addWords, byLanguage, InLanguage, servedLanguage, speak, type Words } from '#kit/browser/language.tsx';
import { activateCatalogue } from '#kit/browser/text.ts';
import { ToastProvider } from '#kit/browser/ui/toast.tsx';
import { familyParts } from './family-parts.ts';
import { messages } from './locales/family/en.po';

// Read first: activating English declares the page English.
const served = servedLanguage();
activateCatalogue('en', messages);
addWords({
  ...byLanguage(import.meta.glob<Words>(['./words/family-*.ts', '!./words/family-more-*.ts'])),
  en: messages,
});

listenForInstall();

async function start(root: HTMLElement) {
  await completeConfiguration();
  keepAskedLanguage();
  // Where its words can't be fetched, the page is in English.
  if (configuration().languages.includes(served)) await speak(served);
  const draw = () => (
    <ToastProvider isAtTop>
      <FamilyPage parts={familyParts} />
    </ToastProvider>
  );
  createRoot(root).render(<InLanguage draw={draw} />);
}

const root = document.getElementById('root');
if (root) void start(root);
