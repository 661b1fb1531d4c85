package dustbuster.rules.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dustbuster.rules.Case;
import dustbuster.rules.Rules;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.net.URLNormalizers;
import org.apache.nutch.plugin.PluginRepository;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs Nutch's own URLNormalizers with the plugin, loaded from a folder of plugins as Nutch does. */
class NutchTest {
    @TempDir
    static Path folder;

    @BeforeAll
    static void install() throws Exception {
        Path points = Files.createDirectories(folder.resolve("plugins/nutch-extensionpoints"));
        Files.writeString(points.resolve("plugin.xml"), """
                <plugin id="nutch-extensionpoints" name="points" version="2.0.0" provider-name="nutch.org">
                  <extension-point id="org.apache.nutch.net.URLNormalizer" name="Nutch URL Normalizer"/>
                </plugin>
                """);
        Path plugin = Files.createDirectories(folder.resolve("plugins/urlnormalizer-dustbuster"));
        Files.copy(Path.of("src/main/plugin/plugin.xml"), plugin.resolve("plugin.xml"));
        pack(DustbusterURLNormalizer.class, plugin.resolve("dustbuster-rules-nutch.jar"));
        pack(Rules.class, plugin.resolve("dustbuster-rules.jar"));
    }

    /** Makes the jar of a class and its neighbours, from wherever the class comes. */
    private static void pack(Class<?> from, Path jar) throws IOException, URISyntaxException {
        Path classes = Path.of(from.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isRegularFile(classes)) {
            Files.copy(classes, jar);
            return;
        }
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                zip.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                zip.write(Files.readAllBytes(file));
            }
        }
    }

    private static Configuration conf(String source) {
        Configuration conf = new Configuration(false);
        conf.set("nutch.conf.uuid", source); // PluginRepository keeps one repository for each
        conf.set("plugin.folders", folder.resolve("plugins").toString());
        conf.set("plugin.includes", "nutch-extensionpoints|urlnormalizer-dustbuster");
        conf.set("dustbuster.rules", source);
        conf.set("dustbuster.rules.interval", "3600");
        return conf;
    }

    @Test
    void conforms() throws Exception {
        Map<String, List<Case>> byList = new LinkedHashMap<>();
        for (Case c : Case.all()) {
            if (!c.refused() && c.url().matches("(?i)https?://.*")) {
                byList.computeIfAbsent(c.list() + "\n" + c.host(), list -> new ArrayList<>()).add(c);
            }
        }
        int count = 0;
        for (Map.Entry<String, List<Case>> e : byList.entrySet()) {
            Path file = Files.writeString(folder.resolve("rules-" + count), e.getValue().get(0).list());
            Configuration conf = conf(file.toString());
            conf.set("dustbuster.rules.fetch", "canonical");
            if (e.getValue().get(0).host() != null) {
                conf.set("dustbuster.rules.host", e.getValue().get(0).host());
            }
            URLNormalizers normalizers = new URLNormalizers(conf, URLNormalizers.SCOPE_DEFAULT);
            for (Case c : e.getValue()) {
                assertEquals(c.canonical(), normalizers.normalize(c.url(), URLNormalizers.SCOPE_DEFAULT), c.name());
                count++;
            }
        }
        System.out.println("Nutch: " + count + " cases, no difference");
        assertTrue(count >= 80, count + " cases");
    }

    @Test
    void isLoadedByThePluginsLoader() throws Exception {
        Path file = Files.writeString(folder.resolve("empty"), "");
        Configuration conf = conf(file.toString());
        Object made = PluginRepository.get(conf).getExtensionPoint("org.apache.nutch.net.URLNormalizer")
                .getExtensions()[0].getExtensionInstance();
        assertEquals("dustbuster.rules.nutch.DustbusterURLNormalizer", made.getClass().getName());
        assertTrue(made.getClass() != DustbusterURLNormalizer.class, "not the class of the test's own path");
    }

    @Test
    void refusesToStartWithoutRules() {
        DustbusterURLNormalizer normalizer = new DustbusterURLNormalizer();
        assertThrows(IllegalArgumentException.class, () -> normalizer.setConf(conf(folder + "/missing")));
        assertThrows(IllegalArgumentException.class, () -> normalizer.setConf(new Configuration(false)));
    }

    @Test
    void returnsTheFirstUrlFoundOfAForm() throws Exception {
        Path file = Files.writeString(folder.resolve("one"), """
                {"schema":2,"site":"h","id":"r1","state":"valid","scope":{},"rank":1,"kind":"parameter","op":"drop","params":["sid"]}
                """);
        Configuration conf = conf(file.toString());
        URLNormalizers outlinks = new URLNormalizers(conf, URLNormalizers.SCOPE_OUTLINK);
        URLNormalizers injected = new URLNormalizers(conf, URLNormalizers.SCOPE_INJECT);
        assertEquals("http://h/a?sid=1", injected.normalize("http://h/a?sid=1", URLNormalizers.SCOPE_INJECT));
        assertEquals("http://h/a?sid=1", outlinks.normalize("http://h/a?sid=2", URLNormalizers.SCOPE_OUTLINK), "of all scopes together");
        assertEquals("http://h/a?sid=1", outlinks.normalize("http://h/a", URLNormalizers.SCOPE_OUTLINK));
        conf.set("dustbuster.rules.fetch", "form");
        assertThrows(IllegalArgumentException.class, () -> new DustbusterURLNormalizer().setConf(conf));
    }
}
