import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import { marketName, translator } from '../../../locales/index.ts';
import { dateTag, type Language } from '../../../locales/languages.ts';
import { translationOf } from '../../shared/text.ts';
import { priceIn } from '../purchase.ts';
import { amountIn } from '../rules.ts';
import type { Receipt } from './read.ts';

/** They have every letter of Cameroon's languages, and the narrow space of `12 500 XAF`. */
const fonts = {
  plain: fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
  bold: fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
};

/** Lines of a receipt: a label and its value each; empty values are left out. */
function linesOf(receipt: Receipt, language: Language): [label: string, value: string][] {
  const { purchase, refund, product, buyer, at, issuer } = receipt;
  const t = translator(language, 'seller');
  const what =
    purchase.creditsAmount === null
      ? t('pay.fee', { product: translationOf(product, language)?.text ?? '–' })
      : t('pay.credits', { credits: purchase.creditsAmount });
  const method = purchase.network
    ? translator(language, 'common')(`paymentMethods.${purchase.network}`)
    : translator(language, 'connect')(`buy.methods.${purchase.purchaseMethod}`);
  const moment = new Intl.DateTimeFormat(dateTag(language), {
    timeZone: 'Africa/Douala',
    dateStyle: 'long',
    timeStyle: 'short',
  });
  const lines: [label: string, value: string][] = [
    [t('pay.receipt.date'), moment.format(at)],
    [t('pay.receipt.buyer'), buyer ?? ''],
    [t('pay.receipt.what'), what],
    [t('pay.receipt.price'), priceIn(purchase, language)],
    [t('pay.receipt.refunded'), refund ? amountIn(purchase, refund.amount, language) : ''],
    [t('pay.receipt.reason'), refund?.reason ?? ''],
    [t('pay.receipt.method'), method],
    [t('pay.receipt.reference'), purchase.reference],
    [t('pay.receipt.paymentReference'), refund?.reference ?? purchase.paymentReference ?? ''],
    [t('pay.receipt.seller'), issuer.name],
    [t('pay.receipt.address'), issuer.address],
    [t('pay.receipt.taxNumber'), issuer.taxNumber],
  ];
  return lines.filter(([, value]) => value !== '');
}

/** A receipt as a page of A5. */
export async function receiptPdf(receipt: Receipt, language: Language): Promise<Uint8Array> {
  const t = translator(language, 'seller');
  const title = t(receipt.refund ? 'pay.receipt.creditNote' : 'pay.receipt.title', {
    number: receipt.name,
  });
  const doc = new PDFDocument({
    size: 'A5',
    margin: 42,
    font: fonts.plain,
    lang: language,
    info: { Title: title, CreationDate: receipt.at },
  });
  const parts: Uint8Array[] = [];
  doc.on('data', (part: Uint8Array) => parts.push(part));
  const ended = new Promise((resolve, reject) => doc.on('end', resolve).on('error', reject));
  doc.font(fonts.bold).fontSize(18).text(marketName(language)).moveDown(0.3);
  doc.fontSize(13).text(title);
  if (receipt.testMode) doc.moveDown(0.3).fontSize(10).text(t('pay.testMode'));
  doc.moveDown(0.8);
  for (const [label, value] of linesOf(receipt, language)) {
    doc.font(fonts.plain).fontSize(8.5).fillColor('#555').text(label);
    doc.font(fonts.bold).fontSize(10.5).fillColor('#000').text(value).moveDown(0.45);
  }
  doc.end();
  await ended;
  return Buffer.concat(parts);
}
