/** Mail domains open to everybody, entered by mistake where a company's own domain is meant. */
export const MAIL_PROVIDERS: readonly string[] = (
  'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com ' +
  'mac.com aol.com proton.me protonmail.com pm.me zoho.com fastmail.com mail.com gmx.com gmx.net gmx.de web.de ' +
  't-online.de orange.fr free.fr laposte.net libero.it yahoo.co.uk hotmail.co.uk yahoo.co.jp mail.ru yandex.ru ' +
  'yandex.com qq.com 163.com 126.com naver.com uol.com.br'
).split(' ');
