import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.filtering.regex.RegexURLNormalizer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.HashMap;

/** Applies a file of rules to the URLs on standard input, by StormCrawler's own class. */
public class StormCrawler {
	public static void main(String[] args) throws Exception {
		RegexURLNormalizer normalizer = new RegexURLNormalizer();
		ObjectNode params = new ObjectMapper().createObjectNode();
		params.put("regexNormalizerFile", args[0]);
		normalizer.configure(new HashMap<String, Object>(), params);
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
		PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
		for (String url; (url = in.readLine()) != null;) {
			out.println(normalizer.filter(null, new Metadata(), url));
		}
		out.flush();
	}
}
