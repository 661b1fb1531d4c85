import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.w3c.dom.Text;

/**
 * Applies a file of rules to the URLs on standard input, as Nutch and StormCrawler
 * (regex-normalize.xml) or Heritrix (RegexRule beans) do.
 */
public class Normalize {
	interface Rule {
		String apply(String url);
	}

	public static void main(String[] args) throws Exception {
		Document file = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File(args[1]));
		List<Rule> rules = args[0].equals("heritrix") ? heritrix(file) : nutch(file);
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
		PrintStream out = new PrintStream(System.out, false, "UTF-8");
		for (String url; (url = in.readLine()) != null;) {
			for (Rule rule : rules) {
				url = rule.apply(url);
			}
			out.println(url);
		}
		out.flush();
	}

	/** All matches of each rule are replaced. Only the first text of an element is read. */
	static List<Rule> nutch(Document file) {
		List<Rule> rules = new ArrayList<>();
		NodeList all = file.getDocumentElement().getElementsByTagName("regex");
		for (int i = 0; i < all.getLength(); i++) {
			Pattern pattern = Pattern.compile(text((Element) all.item(i), "pattern"));
			String substitution = text((Element) all.item(i), "substitution");
			rules.add(url -> pattern.matcher(url).replaceAll(substitution));
		}
		return rules;
	}

	static String text(Element parent, String name) {
		Element e = (Element) parent.getElementsByTagName(name).item(0);
		return e.hasChildNodes() ? ((Text) e.getFirstChild()).getData() : "";
	}

	/** A URL that a rule matches as a whole becomes the rule's format. */
	static List<Rule> heritrix(Document file) {
		List<Rule> rules = new ArrayList<>();
		NodeList all = file.getElementsByTagName("bean");
		for (int i = 0; i < all.getLength(); i++) {
			Element bean = (Element) all.item(i);
			if (!bean.getAttribute("class").endsWith(".RegexRule")) {
				continue;
			}
			Pattern regex = Pattern.compile(property(bean, "regex"));
			String format = property(bean, "format");
			rules.add(url -> {
				Matcher m = regex.matcher(url);
				if (!m.matches()) {
					return url;
				}
				StringBuffer b = new StringBuffer();
				m.appendReplacement(b, format);
				return b.toString();
			});
		}
		return rules;
	}

	static String property(Element bean, String name) {
		NodeList all = bean.getElementsByTagName("property");
		for (int i = 0; i < all.getLength(); i++) {
			Element p = (Element) all.item(i);
			if (p.getAttribute("name").equals(name)) {
				return p.getAttribute("value");
			}
		}
		throw new IllegalArgumentException(name);
	}
}
